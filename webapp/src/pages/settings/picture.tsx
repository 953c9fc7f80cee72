import { useRef } from "preact/hooks";
import { api, type Schemas } from "../../api/client";
import { good, Refused } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import type { OwnProfile } from "../../people/use_profile";
import { Avatar } from "../../ui/avatar";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: {
    choose: "Choose a picture",
    remove: "Remove the picture",
    hint: "JPEG, PNG, WebP, GIF or HEIC, at most 10 MB.",
    type: "This is not a JPEG, PNG, WebP, GIF or HEIC picture. Choose another one.",
    size: "The picture is larger than 10 MB. Choose a smaller one.",
    sending: "Sending the picture …",
  },
  sv: {
    choose: "Välj en bild",
    remove: "Ta bort bilden",
    hint: "JPEG, PNG, WebP, GIF eller HEIC, högst 10 MB.",
    type: "Det här är ingen bild i JPEG, PNG, WebP, GIF eller HEIC. Välj en annan.",
    size: "Bilden är större än 10 MB. Välj en mindre.",
    sending: "Skickar bilden …",
  },
});

type Kind = Schemas["UploadKindEnum"];
const TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "image/heif"];
// Many systems do not know the type of these.
const ENDINGS = [".heic", ".heif"];
const LARGEST = 10 * 1024 * 1024;

interface Props {
  kind: Kind;
  title: string;
  profile: OwnProfile;
  onChange: () => Promise<void>;
}

/** One of the two pictures of the profile: shown, replaced, removed. */
export function Picture({ kind, title, profile, onChange }: Props) {
  const url = kind === "avatar" ? profile.pfpUrl : profile.coverUrl;
  const { isRunning, error, run } = useAction();
  const input = useRef<HTMLInputElement>(null);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    await run(() => upload(file, kind).then(onChange));
    // The same file can be chosen again after a mistake.
    if (input.current) input.current.value = "";
  };
  const remove = () =>
    run(async () => {
      await good(api.DELETE("/api/profile/picture", { params: { query: { kind } } }));
      await onChange();
    });
  const hint = `picture-${kind}`;
  return (
    <div class="stack" role="group" aria-label={title}>
      <h2>{title}</h2>
      {kind === "avatar" && <Avatar name={profile.displayName || profile.username} picture={url || undefined} />}
      {kind === "cover" && url && <img class="profile-cover" src={url} alt="" />}
      <div class="button-row">
        <label class="button-quiet picture-choice">
          {texts.choose}
          <input
            ref={input}
            type="file"
            class="visually-hidden"
            accept={[...TYPES, ...ENDINGS].join()}
            aria-describedby={hint}
            disabled={isRunning}
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
          />
        </label>
        {url && (
          <button type="button" class="button-quiet" disabled={isRunning} onClick={() => void remove()}>
            {texts.remove}
          </button>
        )}
      </div>
      <p id={hint} class="field-hint" role="status">
        {isRunning ? texts.sending : texts.hint}
      </p>
      {error && <Notice kind="error">{error.message}</Notice>}
    </div>
  );
}

async function upload(file: File, kind: Kind): Promise<void> {
  // Without a type, the service finds out.
  if (file.type && !TYPES.includes(file.type)) throw new Refused(0, texts.type, "not_a_picture");
  if (file.size > LARGEST) throw new Refused(0, texts.size, "too_large");
  const form = new FormData();
  form.set("image", file);
  form.set("kind", kind);
  // The type of a file in the schema is a string.
  await good(api.POST("/api/profile/picture", { body: { image: file.name, kind }, bodySerializer: () => form }));
}
