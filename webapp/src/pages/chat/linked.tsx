import { pieces } from "../../live/mentions";
import { ownName } from "../../session/session";

const ADDRESS = /https?:\/\/[^\s<>"']+[^\s<>"'.,:;!?)\]]/g;

interface Props {
  text: string;
  /** The public names whom it mentions. */
  mentions?: readonly string[];
}

/** A text whose web addresses are links, and whose mentions are marked. */
export function Linked({ text, mentions = [] }: Props) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(ADDRESS)) {
    parts.push(<Marked text={text.slice(end, found.index)} mentions={mentions} />);
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
      <Marked text={text.slice(end)} mentions={mentions} />
    </span>
  );
}

function Marked({ text, mentions }: Required<Props>) {
  return (
    <>
      {pieces(text, mentions).map((piece) =>
        piece.username ? (
          <mark class="mention" data-own={piece.username === ownName()}>
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}
