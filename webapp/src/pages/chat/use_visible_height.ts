import { useEffect } from "preact/hooks";

/** Where the keyboard on the screen covers the page instead of shrinking it (Safari), the height that is left. */
export function useVisibleHeight(): void {
  useEffect(() => {
    const visible = window.visualViewport;
    const { style } = document.documentElement;
    const measure = () => {
      // Who has zoomed in sees less, and wants no smaller page.
      if (!visible || visible.scale !== 1) return;
      style.setProperty("--visible-height", `${visible.height}px`);
    };
    measure();
    visible?.addEventListener("resize", measure);
    return () => {
      visible?.removeEventListener("resize", measure);
      style.removeProperty("--visible-height");
    };
  }, []);
}
