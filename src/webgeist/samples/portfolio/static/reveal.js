// Lines fade in when they come into view.
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (entry.isIntersecting) {
      entry.target.classList.add("seen");
      watcher.unobserve(entry.target);
    }
  }
}, { threshold: 0.2 });
for (const line of document.querySelectorAll(".reveal")) watcher.observe(line);
