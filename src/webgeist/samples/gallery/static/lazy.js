// Pictures get their address when they are about to be seen.
const watcher = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    target.src = target.dataset.src;
    watcher.unobserve(target);
  }
}, { rootMargin: "200px" });
for (const picture of document.querySelectorAll("img[data-src]")) watcher.observe(picture);
