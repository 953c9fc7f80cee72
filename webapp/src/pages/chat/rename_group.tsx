import { inLanguage } from "../../lib/language";
import { changeConversation } from "../../live/actions";
import type { Conversation } from "../../live/state";
import { Field } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: { name: "Name of the group", about: "About the group", save: "Save" },
  sv: { name: "Gruppens namn", about: "Om gruppen", save: "Spara" },
});

/** The name and description of a group, for its admin. */
export function RenameGroup({ conversation }: { conversation: Conversation }) {
  const { error, run, isRunning } = useAction();
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const groupName = String(form.get("name") ?? "");
    const groupDescription = String(form.get("about") ?? "");
    void run(() => changeConversation(conversation.id, { action: "rename", groupName, groupDescription }));
  };
  return (
    <form class="form" onSubmit={save}>
      {error && <Notice kind="error">{error.message}</Notice>}
      <Field label={texts.name} errors={error?.fields["groupName"]}>
        {(attributes) => <input {...attributes} name="name" maxLength={80} defaultValue={conversation.groupName ?? ""} />}
      </Field>
      <Field label={texts.about} errors={error?.fields["groupDescription"]}>
        {(attributes) => <textarea {...attributes} name="about" rows={2} maxLength={200} defaultValue={conversation.groupDescription ?? ""} />}
      </Field>
      <button class="button-quiet" disabled={isRunning}>
        {texts.save}
      </button>
    </form>
  );
}
