// SPDX-License-Identifier: Apache-2.0
// Dark or light: the system's choice, unless the button was used; pages that draw listen for "perle-theme".
"use strict";
(() => {
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try { return window.localStorage.getItem("perle-theme"); } catch { return null; }
  };
  const tell = () => document.dispatchEvent(new Event("perle-theme"));
  const chosen = stored();
  if (chosen) root.dataset.theme = chosen;
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { window.localStorage.setItem("perle-theme", root.dataset.theme); } catch { /* this page only */ }
    tell();
  });
  system.addEventListener("change", tell);
})();
