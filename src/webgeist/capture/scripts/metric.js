// Runs one metric in a world of its own and tells what came of it: { json } or { failed }.
// JSON has its keys in order, so that the same result is the same text.
(async (run, ms, most) => {
  "use strict";
  const { parse, stringify } = JSON;
  const encoder = new TextEncoder();
  const compare = ([one], [other]) => (one < other ? -1 : 1);
  const sorted = (_, value) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(compare))
      : value;
  const worded = (thrown) => {
    try { return String(thrown).slice(0, 1000).toWellFormed(); } catch { return "something without a name"; }
  };
  let timer;
  const late = new Promise((_, fail) => { timer = setTimeout(fail, ms, `no result within ${ms / 1000} s`); });
  try {
    const value = await Promise.race([run(), late]);
    const text = stringify(value);
    if (text === undefined) return { failed: `the result is ${typeof value}, for which JSON has no form` };
    const bytes = encoder.encode(text).length;
    if (bytes > most) return { failed: `a result of ${bytes} bytes, more than limits.metric_bytes = ${most}` };
    return { json: stringify(parse(text), sorted) };
  } catch (thrown) {
    return { failed: worded(thrown) };
  } finally {
    clearTimeout(timer);
  }
})
