import { useEffect, useState } from "preact/hooks";
import { useKeptState } from "./way_back";

const SHORTEST = 2;
const PAUSE = 300;

interface SearchText {
  /** What is in the field. */
  text: string;
  setText: (text: string) => void;
  /** What to search for: the text a moment after its last letter, or nothing when it is too short. */
  wanted: string;
}

/** The text of a field that searches while somebody writes in it. */
export function useSearchText(): SearchText {
  const [text, setText] = useKeptState("text", "");
  const [wanted, setWanted] = useState("");
  useEffect(() => {
    const query = text.trim();
    const timer = setTimeout(() => setWanted(query.length < SHORTEST ? "" : query), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return { text, setText, wanted };
}
