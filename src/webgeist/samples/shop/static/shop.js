"use strict";

// The cookie banner goes away for good once answered.
document.querySelectorAll("[data-consent]").forEach((button) => {
  button.addEventListener("click", () => {
    document.cookie = `consent=${button.dataset.consent}; path=/; max-age=15552000; samesite=lax`;
    document.getElementById("cookies").remove();
  });
});

// A small picture of the gallery becomes the large one.
document.querySelectorAll("[data-large]").forEach((button) => {
  button.addEventListener("click", () => {
    const large = document.getElementById("large");
    large.removeAttribute("srcset");
    large.src = button.dataset.large;
  });
});

// More reviews, five at a time, until the server says there is no next page.
const reviews = document.querySelector("[data-reviews]");
const more = reviews?.querySelector(".more");

function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

function reviewItem(review) {
  const item = element("li", "", "review");
  const head = element("header", "");
  const stars = element("span", "", "stars");
  stars.style.setProperty("--share", `${review.stars * 20}%`);
  head.append(stars, element("b", review.title));
  const foot = `${review.author}, ${review.date} · ${review.helpful} found this helpful`;
  item.append(head, element("p", review.text), element("footer", foot));
  return item;
}

more?.addEventListener("click", async () => {
  more.disabled = true;
  const answer = await fetch(`${reviews.dataset.reviews}?page=${reviews.dataset.next}`);
  const page = await answer.json();
  reviews.querySelector("ol").append(...page.reviews.map(reviewItem));
  reviews.dataset.next = page.next ?? "";
  more.disabled = false;
  if (page.next === null) more.remove();
});
