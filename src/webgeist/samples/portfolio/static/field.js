// Draws a field of lines. The picture depends on the frame's time stamp and on nothing else.
const canvas = document.getElementById("field");
const pen = canvas.getContext("2d");
const label = document.getElementById("frame");

function draw(time) {
  const { width, height } = canvas;
  pen.fillStyle = "#0b0b12";
  pen.fillRect(0, 0, width, height);
  for (let row = 0; row < 36; row++) {
    pen.beginPath();
    for (let x = 0; x <= width; x += 8) {
      const swell = Math.sin(x / 90 + row / 3 + time / 900) * Math.cos(x / 210 - time / 1700);
      pen.lineTo(x, 60 + row * 20 + swell * (6 + row * 1.6));
    }
    pen.strokeStyle = `hsl(${200 + row * 4} 90% ${35 + row}%)`;
    pen.lineWidth = 1 + row / 14;
    pen.stroke();
  }
  label.textContent = `${Math.round(time)} ms`;
  requestAnimationFrame(draw);
}

requestAnimationFrame(draw);
