// Content that comes later: by a timer, by a fetch, and by scrolling.
const fill = (id, html) => {
  const box = document.getElementById(id);
  box.innerHTML = html;
  box.classList.remove("skeleton");
  box.removeAttribute("aria-busy");
};

setTimeout(() => fill("timer", "<p>This paragraph came after 300 milliseconds.</p>"), 300);

fetch("/data/news.json")
  .then((response) => response.json())
  .then((news) => fill("news", news.map(({ title, text }) => `<article><h3>${title}</h3><p>${text}</p></article>`).join("")));

// As lodash does it: one timer that looks at the clock, and waits again if there was another call.
function debounce(work, wait) {
  let timer;
  let lastCall = 0;
  function expired() {
    const left = wait - (Date.now() - lastCall);
    if (left > 0) timer = setTimeout(expired, left);
    else { timer = undefined; work(); }
  }
  return () => {
    lastCall = Date.now();
    if (timer === undefined) timer = setTimeout(expired, wait);
  };
}

addEventListener("scroll", debounce(() => {
  const share = scrollY / (document.documentElement.scrollHeight - innerHeight);
  document.getElementById("bar").style.width = `${share * 100}%`;
  document.getElementById("scrolled").textContent = `scrolled to ${Math.round(share * 100)} percent`;
}, 150), { passive: true });
