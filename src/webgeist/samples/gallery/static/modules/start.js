import { shout } from "gallery/shout.js";

document.getElementById("static").textContent = shout("the static import ran");
const { default: later } = await import("gallery/later.js");
document.getElementById("dynamic").textContent = later(import.meta.url);
