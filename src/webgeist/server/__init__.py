"""The REST interface: releases over HTTP, read-only. `webgeist.server.app` puts it together."""
