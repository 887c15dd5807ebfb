// Runs first in every frame of a deterministic capture, in the page's own world.
//
// Time stands at EPOCH and moves only where the page itself makes it move: a timer that fires sets
// the clock to the moment it was due, an animation frame moves it by a frame. So debounced handlers
// fire, yet two loads of one page read the same times. A loop that waits for time to pass would
// never end: after PATIENCE readings each one moves the clock by a millisecond.
// While the page loads no time passes: timers of a MOMENT or more begin with its load event, so that
// it is not the network's speed which of the two a page sees first. A page that does not load within
// LOADING real milliseconds has its timers all the same.
// A chain of animation frames (each asked for by the one before) stops after FRAMES: a canvas that
// moves for ever is then the same picture each time. Its steps grow, so that animations which do
// end have ended by then.
((EPOCH, SEED) => {
  "use strict";
  const FRAMES = 60, REAL_FRAMES = 30, LONG_STEP = 100, PATIENCE = 10_000, RECENT = 60_000;
  const MOMENT = 50, LOADING = 5_000, HELD = 2 ** 30;
  const { apply, construct, defineProperty } = Reflect;
  const { floor, imul, max } = Math;
  const { setTimeout: realTimeout, setInterval: realInterval, clearTimeout: realClear,
          requestAnimationFrame: realFrame, cancelAnimationFrame: realCancel, Date: RealDate, Map: RealMap } = window;
  const realNow = RealDate.now;
  const { get: mapGet, set: mapSet, delete: mapDelete, clear: mapClear, forEach: mapEach } = RealMap.prototype;
  const listen = EventTarget.prototype.addEventListener;
  const stateOf = Object.getOwnPropertyDescriptor(Document.prototype, "readyState").get;
  const sizeOf = Object.getOwnPropertyDescriptor(RealMap.prototype, "size").get;
  const define = (target, name, value) =>
    defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });

  let now = 0, readings = 0, frameDepth = 0, timerDepth = 0;
  const read = () => (++readings > PATIENCE ? ++now : now);
  const date = () => EPOCH + floor(read());

  const FakeDate = new Proxy(RealDate, {
    apply: () => new RealDate(date()).toString(),
    construct: (target, args, newTarget) =>
      construct(target, args.length ? args : [date()], newTarget === FakeDate ? target : newTarget),
  });
  define(RealDate, "now", function now() { return date(); });
  define(RealDate.prototype, "constructor", FakeDate);
  define(window, "Date", FakeDate);
  define(Performance.prototype, "now", function now() { return read(); });
  defineProperty(Performance.prototype, "timeOrigin", { get: () => EPOCH, configurable: true });
  // A document whose server does not say when it changed says "now".
  const changed = Object.getOwnPropertyDescriptor(Document.prototype, "lastModified").get;
  defineProperty(Document.prototype, "lastModified", {
    get() {
      const said = apply(changed, this, []);
      if (realNow() - RealDate.parse(said) > RECENT) return said;
      const [year, month, day] = new RealDate(EPOCH).toISOString().slice(0, 10).split("-");
      return `${month}/${day}/${year} ${new RealDate(EPOCH).toISOString().slice(11, 19)}`;
    },
    configurable: true, enumerable: true,
  });
  // To format no time is to format now.
  const formats = Intl.DateTimeFormat.prototype, { formatToParts } = formats;
  const formatOf = Object.getOwnPropertyDescriptor(formats, "format").get;
  const orNow = (time) => time === undefined ? date() : time;
  defineProperty(formats, "format", {
    get() {
      const format = apply(formatOf, this, []);
      return (time) => format(orNow(time));
    },
    configurable: true,
  });
  define(formats, "formatToParts", function (time) { return apply(formatToParts, this, [orNow(time)]); });
  if (window.Temporal) {
    const { Now, Instant } = Temporal;
    const instant = () => Instant.fromEpochMilliseconds(date());
    const zoned = (zone = Now.timeZoneId()) => instant().toZonedDateTimeISO(zone);
    define(Now, "instant", instant);
    define(Now, "zonedDateTimeISO", zoned);
    define(Now, "plainDateTimeISO", (zone) => zoned(zone).toPlainDateTime());
    define(Now, "plainDateISO", (zone) => zoned(zone).toPlainDate());
    define(Now, "plainTimeISO", (zone) => zoned(zone).toPlainTime());
  }

  let state = SEED >>> 0;
  const random = () => { // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  define(Math, "random", random);
  const fill = (bytes) => { for (let i = 0; i < bytes.length; i++) bytes[i] = floor(random() * 256); };
  if (window.Crypto) {
    define(Crypto.prototype, "getRandomValues", function getRandomValues(array) {
      fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      return array;
    });
    if (Crypto.prototype.randomUUID) define(Crypto.prototype, "randomUUID", function randomUUID() {
      const bytes = new Uint8Array(16);
      fill(bytes);
      bytes[6] = (bytes[6] & 15) | 64;
      bytes[8] = (bytes[8] & 63) | 128;
      let text = "";
      for (let i = 0; i < 16; i++)
        text += (i === 4 || i === 6 || i === 8 || i === 10 ? "-" : "") + (bytes[i] + 256).toString(16).slice(1);
      return text;
    });
  }

  // One-shot timers that are due soon and not part of an endless chain, and animation frames that
  // were asked for: a page at rest has none, but where Chromium keeps it still.
  const soon = new RealMap(), frames = new RealMap();
  const forget = (id) => apply(mapDelete, soon, [id]);
  // Timers that wait for the page to load have numbers of ours; those that waited, also real ones.
  const held = new RealMap(), begun = new RealMap();
  let mayPass = false, lastHeld = HELD;
  const letPass = () => {
    mayPass = true;
    apply(mapEach, held, [(begin, id) => apply(mapSet, begun, [id, begin()])]);
    apply(mapClear, held, []);
  };
  const begin = (real, callback, wait) => {
    const start = () => apply(real, window, [callback, wait]);
    if (mayPass || wait < MOMENT || apply(stateOf, document, []) === "complete") return start();
    if (lastHeld === HELD) apply(realTimeout, window, [letPass, LOADING]);
    apply(listen, window, ["load", letPass, true]); // again, as document.open() ends listening
    apply(mapSet, held, [++lastHeld, start]);
    return lastHeld;
  };
  define(window, "setTimeout", function setTimeout(handler, delay, ...args) {
    if (typeof handler !== "function") return apply(realTimeout, window, [handler, delay, ...args]);
    const wait = max(0, +delay || 0), due = now + wait, depth = timerDepth;
    const id = begin(realTimeout, function () {
      forget(id);
      now = max(now, due);
      timerDepth = depth + 1;
      try { return apply(handler, window, args); } finally { timerDepth = 0; }
    }, wait);
    if (wait <= 1000 && depth < 4) apply(mapSet, soon, [id, due]);
    return id;
  });
  const clear = (id) => {
    forget(id);
    apply(mapDelete, held, [id]);
    return apply(realClear, window, [apply(mapGet, begun, [id]) ?? id]);
  };
  define(window, "clearTimeout", function clearTimeout(id) { return clear(id); });
  define(window, "clearInterval", function clearInterval(id) { return clear(id); }); // the same list
  define(window, "setInterval", function setInterval(handler, delay, ...args) {
    if (typeof handler !== "function") return apply(realInterval, window, [handler, delay, ...args]);
    const wait = max(0, +delay || 0);
    let due = now + wait;
    return begin(realInterval, function () {
      now = max(now, due);
      due += wait;
      return apply(handler, window, args);
    }, wait);
  });
  let frameShown = -1;
  define(window, "requestAnimationFrame", function requestAnimationFrame(callback) {
    const depth = frameDepth;
    if (depth >= FRAMES || typeof callback !== "function")
      return typeof callback === "function" ? 0 : apply(realFrame, window, [callback]);
    const id = apply(realFrame, window, [function (shown) {
      apply(mapDelete, frames, [id]);
      if (shown !== frameShown) { // all callbacks of one frame see one time
        frameShown = shown;
        now += depth < REAL_FRAMES ? 1000 / 60 : LONG_STEP;
      }
      frameDepth = depth + 1;
      try { return apply(callback, window, [now]); } finally { frameDepth = 0; }
    }]);
    apply(mapSet, frames, [id, depth]);
    return id;
  });
  define(window, "cancelAnimationFrame", function cancelAnimationFrame(id) {
    apply(mapDelete, frames, [id]);
    return apply(realCancel, window, [id]);
  });

  let observes = false;
  if (window.IntersectionObserver) {
    const Real = IntersectionObserver;
    define(window, "IntersectionObserver", new Proxy(Real, {
      construct: (target, args, newTarget) => { observes = true; return construct(target, args, newTarget); },
    }));
  }
  defineProperty(window, Symbol.for("webgeist"), {
    value: () => ({ timers: apply(sizeOf, soon, []), frames: apply(sizeOf, frames, []), observes }),
  });
})
