// Takes control at once, and answers one address itself.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (!event.request.url.endsWith("/greeting.json")) return;
  const body = JSON.stringify({ from: "service worker", text: "The server never heard of it." });
  event.respondWith(new Response(body, { headers: { "content-type": "application/json" } }));
});
