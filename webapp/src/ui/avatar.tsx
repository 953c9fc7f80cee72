/** A person's picture, or their initials on a colour of their own. Decoration beside the name. */

export function Avatar({ name, picture, small = false }: { name: string; picture?: string | undefined; small?: boolean }) {
  const size = small ? "avatar avatar-small" : "avatar";
  if (picture) return <img class={size} src={picture} alt="" loading="lazy" decoding="async" />;
  return (
    <span class={`${size} avatar-${colourOf(name)}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

const COLOURS = 6;

function colourOf(name: string): number {
  let sum = 0;
  for (const each of name) sum = (sum * 31 + (each.codePointAt(0) ?? 0)) % 9973;
  return sum % COLOURS;
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return picked.map((word) => [...(word ?? "")][0] ?? "").join("").toUpperCase();
}
