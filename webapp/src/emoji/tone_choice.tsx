import { useId } from "preact/hooks";
import { inLanguage } from "../lib/language";

const texts = inLanguage({
  en: { tone: "Skin tone", names: ["Yellow", "Light", "Medium light", "Medium", "Medium dark", "Dark"] },
  sv: { tone: "Hudton", names: ["Gul", "Ljus", "Mellanljus", "Mellan", "Mellanmörk", "Mörk"] },
});

const HANDS = ["✋", "✋🏻", "✋🏼", "✋🏽", "✋🏾", "✋🏿"];

interface Props {
  tone: number;
  onChoose: (tone: number) => void;
}

/** In which tone people and hands are shown. */
export function ToneChoice({ tone, onChoose }: Props) {
  const name = useId();
  return (
    <fieldset class="emoji-tones">
      <legend class="visually-hidden">{texts.tone}</legend>
      {HANDS.map((hand, index) => (
        <label key={hand} class="button-icon" title={texts.names[index]}>
          <input
            type="radio"
            name={name}
            aria-label={texts.names[index]}
            checked={index === tone}
            onChange={() => onChoose(index)}
          />
          <span aria-hidden="true">{hand}</span>
        </label>
      ))}
    </fieldset>
  );
}
