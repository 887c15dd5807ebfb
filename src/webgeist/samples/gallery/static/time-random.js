// Everything that makes two visits to the same page differ.
const say = (id, text) => { document.getElementById(id).textContent = text; };
const now = new Date();
say("date", now.toString());
say("now", Date.now());
say("intl", new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long", timeZone: "Europe/London" }).format(now));
say("performance", performance.now());
say("random", [Math.random(), Math.random(), Math.random()].join(" "));
say("values", crypto.getRandomValues(new Uint8Array(8)).join(" "));
say("uuid", crypto.randomUUID());
say("modified", document.lastModified);
for (let n = 0; n < 60; n++) {
  const dot = document.createElement("i");
  dot.style.cssText = `left:${Math.random() * 100}%;top:${Math.random() * 100}%;background:hsl(${Math.random() * 360} 80% 60%)`;
  document.getElementById("confetti").append(dot);
}
