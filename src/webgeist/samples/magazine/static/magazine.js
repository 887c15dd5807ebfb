"use strict";

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function streamItem(item) {
  const image = element("img", { src: `/assets/photo/${item.picture}/240x160.jpg`, width: 240, height: 160, alt: "", loading: "lazy" });
  const kicker = element("p", { className: "kicker" }, `${item.section} `, element("time", {}, item.when));
  const title = element("h2", {}, element("a", { href: item.path }, item.title));
  const text = element("div", {}, kicker, title, element("p", {}, item.summary));
  return element("li", {}, element("a", { className: "image", href: item.path }, image), text);
}

function briefItem(item) {
  return element("li", { id: `brief-${item.number}` }, element("h2", {}, item.title), element("p", {}, item.text));
}

// Appends the next page of a list; says whether there are more.
async function grow(list, draw) {
  const answer = await fetch(`${list.dataset.source}?page=${list.dataset.next}`);
  const page = await answer.json();
  list.append(...page.items.map(draw));
  list.dataset.next = page.next ?? "";
  return page.next !== null;
}

const stream = document.getElementById("stream");
if (stream) {
  const sentinel = document.getElementById("sentinel");
  const observer = new IntersectionObserver(async (entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.unobserve(sentinel);
    if (await grow(stream, streamItem)) observer.observe(sentinel);
    else sentinel.textContent = "You have read it all.";
  }, { rootMargin: "200px" });
  observer.observe(sentinel);
}

const button = document.getElementById("load-more");
button?.addEventListener("click", async () => {
  button.disabled = true;
  if (await grow(document.getElementById("briefs"), briefItem)) button.disabled = false;
  else button.remove();
});
