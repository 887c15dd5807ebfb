"""Recorders: they sit between a tab and the web, and write down every exchange.

`proxy` (the form that is used unless asked otherwise) and `replay` (answers from an archive) are
`Recorder`s as `webgeist.capture.exchange` describes them. The rest is what they are made of.
"""
