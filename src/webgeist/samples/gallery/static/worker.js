// Fetches numbers and returns how many there are and their sum.
onmessage = async ({ data }) => {
  const numbers = await (await fetch(data)).json();
  postMessage({ count: numbers.length, sum: numbers.reduce((a, b) => a + b, 0) });
};
