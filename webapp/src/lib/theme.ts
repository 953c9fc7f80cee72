/**
 * Light or dark: what the person chose on this device, else what the device says. `public/start.js` does the
 * same before the first picture.
 */

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export function chosenTheme(): Theme {
  const stored = localStorage.getItem("theme");
  return THEMES.find((each) => each === stored) ?? "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem("theme");
  else localStorage.setItem("theme", theme);
  document.documentElement.dataset["theme"] = theme;
}
