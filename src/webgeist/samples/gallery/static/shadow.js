// Three roots: one open, one closed, one inside another.
const css = "<style>:host { display: block; border: 2px solid #c4391e; padding: 1rem } b { color: #c4391e } ::slotted(p) { font-style: italic }</style>";
const open = document.getElementById("open").attachShadow({ mode: "open" });
open.innerHTML = `${css}<b>In the open root</b><slot name="body"></slot><slot></slot>`;

const closed = document.getElementById("closed").attachShadow({ mode: "closed" });
closed.innerHTML = `${css}<b>In the closed root</b><p>No script from outside can read this. <a href="/elements">A link</a></p>`;

const outer = document.getElementById("outer").attachShadow({ mode: "open" });
outer.innerHTML = `${css}<b>Outer root</b><div id="inner"></div>`;
const inner = outer.getElementById("inner").attachShadow({ mode: "open" });
inner.innerHTML = "<p>Root within a root.</p>";
