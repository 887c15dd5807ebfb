// Runs in every frame in a world of its own: it sees the page's DOM, the page cannot see or break it.
globalThis.webgeist = (() => {
  "use strict";
  let changed = performance.now();
  new MutationObserver(() => { changed = performance.now(); }).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  // A document in a sandbox without scripts (CSP) has frames for us, but no timers.
  let timers = false;
  setTimeout(() => { timers = true; });
  const pause = (ms) => new Promise((done) => {
    const end = performance.now() + ms;
    const look = () => performance.now() < end ? requestAnimationFrame(look) : done();
    setTimeout(done, ms);
    if (!timers) look();
  });
  const frames = (count) => new Promise((done) => {
    const giveUp = setTimeout(done, 500); // a page that is not painted has no frames
    const next = (left) => left ? requestAnimationFrame(() => next(left - 1)) : (clearTimeout(giveUp), done());
    next(count);
  });
  const trees = function* (root = document) {
    yield root;
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) yield* trees(element.shadowRoot);
  };
  const finishAnimations = () => {
    for (const tree of trees())
      for (const animation of tree.getAnimations()) {
        if (animation.playState === "paused" || !(animation.timeline instanceof DocumentTimeline)) continue;
        const { endTime } = animation.effect?.getComputedTiming() ?? { endTime: Infinity };
        if (Number.isFinite(endTime) && animation.playbackRate !== 0) animation.finish();
        else animation.cancel();
      }
  };
  // Chromium keeps what it knows of a node when it looks at it again, and not all of that stays true:
  // an auto margin reads as its width or as 0px, by the order in which styles and fonts came; a text
  // has the stacking context of an animation that is over. So all styles and boxes are made anew: a
  // property that nobody can animate is changed, and back at once.
  const renderAnew = () => {
    const style = new CSSStyleSheet();
    style.replaceSync("*, ::before, ::after { text-orientation: upright !important }");
    const all = [...trees()].map((tree) => [tree, [...tree.adoptedStyleSheets]]);
    for (const [tree, sheets] of all) tree.adoptedStyleSheets = [...sheets, style];
    if (document.documentElement) getComputedStyle(document.documentElement).textOrientation;
    for (const [tree, sheets] of all) tree.adoptedStyleSheets = sheets;
  };
  const fontsReady = () => document.fonts.status === "loaded";

  // Chromium keeps a frame still that is out of view, if it or one it lies in is of another origin than
  // the page: it is not painted and has no animation frames.
  const foreign = () => {
    try { for (let at = window; at !== top; at.document.nodeType) at = at.parent; } catch { return true; }
    return false;
  };
  const inView = () => new Promise((done) => {
    if (!document.documentElement) return done(false);
    const observer = new IntersectionObserver(([entry]) => { observer.disconnect(); done(entry.isIntersecting); });
    observer.observe(document.documentElement);
    setTimeout(done, 500, false);
  });
  const still = async () => foreign() && !(await inView());
  const unheard = (event) => event.stopImmediatePropagation();

  // What stands still while the page is scrolled, with its place in the page before. A sheet's own
  // `translate` brings it back there: that changes neither layout nor order, as fixed and sticky
  // elements are stacking contexts anyway.
  const standing = new Map();
  const moved = (element, dx, dy) => {
    const { translate } = getComputedStyle(element);
    const [x, y = "0px"] = translate === "none" ? ["0px"] : translate.split(" ");
    element.style.setProperty("translate", `calc(${x} + ${dx}px) calc(${y} + ${dy}px)`, "important");
  };
  const bringBack = () => {
    for (const [element, [x, y]] of standing) {
      const box = element.getBoundingClientRect();
      const [dx, dy] = [x - scrollX - box.x, y - scrollY - box.y];
      if (Math.abs(dx) + Math.abs(dy) > 0.5) moved(element, dx, dy);
    }
  };

  return {
    // What a page looks like from here; the loader decides by it how long to wait and whether to scroll.
    facts() {
      const root = document.documentElement;
      return {
        scripted: document.scripts.length > 0 || document.querySelector("iframe, frame") !== null,
        lazy: [...document.images].some((image) => image.loading === "lazy" && !image.complete),
        height: root ? root.scrollHeight : 0,
        screen: innerHeight,
        nodes: document.getElementsByTagName("*").length,
      };
    },
    // Resolves when the DOM has not changed for `quiet` ms and all fonts that are used are there,
    // or after `limit` ms; says which.
    async rest(quiet, limit) {
      const end = performance.now() + limit;
      while (performance.now() < end) {
        const left = changed + quiet - performance.now();
        if (left <= 0 && fontsReady()) return "";
        await pause(Math.max(4, Math.min(left, 50, end - performance.now())));
      }
      return fontsReady() ? "the page keeps changing itself" : "fonts are missing";
    },
    // Shows every part of the page to the page, so that it loads what it kept back. It is left at its end.
    async scroll(screens) {
      const height = document.documentElement.scrollHeight;
      const step = Math.max(innerHeight, Math.ceil(height / Math.max(screens, 1)));
      for (let top = innerHeight; top < height; top += step) {
        scrollTo({ top, behavior: "instant" });
        await frames(1);
        await pause(0); // observers are told after a frame's callbacks
      }
      await frames(2);
    },
    async scrollBack() {
      scrollTo({ top: 0, left: 0, behavior: "instant" });
      await frames(2);
    },
    // Brings everything that moves to a stand: what ends, to its end; what does not, to its start.
    async freeze() {
      finishAnimations();
      renderAnew();
      for (const tree of trees()) {
        for (const media of tree.querySelectorAll("video, audio")) { media.pause(); media.currentTime = 0; }
        for (const svg of tree.querySelectorAll("svg")) { svg.pauseAnimations(); svg.setCurrentTime(5); }
      }
      if (!(await still())) await frames(2);
    },
    still,
    // Moves the page so that this place is in the corner. Its own scripts do not hear of it.
    async lookAt(x, y) {
      for (const name of ["scroll", "scrollend"]) addEventListener(name, unheard, true);
      scrollTo({ left: x, top: y, behavior: "instant" });
      bringBack();
      await frames(2);
      return [scrollX, scrollY];
    },
    async lookBack(x, y) {
      await this.lookAt(x, y);
      for (const name of ["scroll", "scrollend"]) removeEventListener(name, unheard, true);
    },
    // Whether a frame that was looked at is painted now.
    async shown() {
      if (await still()) return false;
      await frames(2);
      return true;
    },
    // Only for the picture: from now on nothing stands still while the page is scrolled.
    holdAll(most) {
      const style = new CSSStyleSheet();
      style.replaceSync("* { overflow-anchor: none !important; scroll-snap-type: none !important }");
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
      for (const tree of trees())
        for (const element of tree.querySelectorAll("*")) {
          if (standing.size >= most) return;
          if (!["fixed", "sticky"].includes(getComputedStyle(element).position)) continue;
          const { x, y } = element.getBoundingClientRect();
          standing.set(element, [x + scrollX, y + scrollY]);
        }
    },
    // Whether there is anything to take a picture of: a document broken off in its head is not painted.
    painted: () => Promise.race([
      new Promise((done) => requestAnimationFrame(() => done(true))), pause(500).then(() => false),
    ]),
    // Only for the picture, after the snapshot: a caret blinks.
    hideCaret() {
      for (const tree of trees()) {
        const style = new CSSStyleSheet();
        style.replaceSync(
          "*, ::before, ::after { caret-color: transparent !important; transition: none !important }"
        );
        tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, style];
      }
    },
  };
})();
