const ADDRESS = /https?:\/\/[^\s<>"']+[^\s<>"'.,:;!?)\]]/g;

/** A text whose web addresses are links. */
export function Linked({ text }: { text: string }) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(ADDRESS)) {
    parts.push(text.slice(end, found.index));
    parts.push(
      <a href={found[0]} target="_blank" rel="noopener noreferrer">
        {found[0]}
      </a>,
    );
    end = found.index + found[0].length;
  }
  return (
    <span class="written" dir="auto">
      {parts}
      {text.slice(end)}
    </span>
  );
}
