// Three elements of our own.
class DayCount extends HTMLElement {
  connectedCallback() {
    const days = (Date.parse(this.getAttribute("to")) - Date.parse(this.getAttribute("from"))) / 86400000;
    this.textContent = String(days);
  }
}

class StarRating extends HTMLElement {
  static observedAttributes = ["value", "max"];
  attributeChangedCallback() {
    const value = Number(this.getAttribute("value"));
    const max = Number(this.getAttribute("max"));
    this.textContent = "★".repeat(value) + "☆".repeat(Math.max(0, max - value));
    this.setAttribute("aria-label", `${value} of ${max}`);
  }
}

class InfoCard extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = "<style>:host{display:block;border-left:6px solid #28407a;padding:.5rem 1rem;background:#eaf0ff}</style><strong></strong><slot></slot>";
    root.querySelector("strong").textContent = this.getAttribute("heading");
  }
}

customElements.define("day-count", DayCount);
customElements.define("star-rating", StarRating);
customElements.define("info-card", InfoCard);
