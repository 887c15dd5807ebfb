export default (url) => `The dynamic import ran, asked for by ${new URL(url).pathname}.`;
