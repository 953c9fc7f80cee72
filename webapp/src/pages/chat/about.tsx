import { useLocation, useRoute } from "preact-iso";
import { useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { changeConversation } from "../../live/actions";
import { forgetKey } from "../../live/encryption";
import { titleOf } from "../../live/names";
import type { Conversation } from "../../live/state";
import { useMessages } from "../../live/use_messages";
import { ownName } from "../../session/session";
import { Page } from "../../shell/page";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icon";
import { Notice } from "../../ui/notice";
import { ReportDialog } from "../../ui/report_dialog";
import { useAction } from "../../ui/use_action";
import { AddMember } from "./add_member";
import { Members } from "./members";
import { Mute } from "./mute";
import { Pinned } from "./pinned";
import { RenameGroup } from "./rename_group";

const texts = inLanguage({
  en: {
    title: "About the chat",
    encrypted: "Only members who know the passphrase can read the messages.",
    forget: "Forget the passphrase on this device",
    forgotten: "This device has forgotten the passphrase.",
    leave: "Leave the group",
    sure: "You will no longer see its messages.",
    report: "Report the group",
  },
  sv: {
    title: "Om chatten",
    encrypted: "Bara medlemmar som kan lösenfrasen kan läsa meddelandena.",
    forget: "Glöm lösenfrasen på den här enheten",
    forgotten: "Den här enheten har glömt lösenfrasen.",
    leave: "Lämna gruppen",
    sure: "Du ser inte längre dess meddelanden.",
    report: "Anmäl gruppen",
  },
});

export default function AboutConversation() {
  const id = useRoute().params["id"] ?? "";
  const { chat, reading } = useMessages(id);
  return (
    <Page title={chat ? titleOf(chat.conversation) : texts.title} back={`/app/chats/${id}`}>
      {reading.error && !chat && <Notice kind="error">{reading.error.message}</Notice>}
      {chat && <About conversation={chat.conversation} />}
    </Page>
  );
}

function About({ conversation }: { conversation: Conversation }) {
  const { id, type, encrypted, groupDescription, adminUsername } = conversation;
  const isGroup = type === "group";
  return (
    <>
      {groupDescription && <p class="written">{groupDescription}</p>}
      {encrypted && <EncryptionNotice id={id} />}
      <Members conversation={conversation} />
      {isGroup && adminUsername === ownName() && (
        <>
          <AddMember conversation={conversation} />
          <RenameGroup conversation={conversation} />
        </>
      )}
      <Mute id={id} />
      <Pinned id={id}>{isGroup && <LeaveOrReport id={id} />}</Pinned>
    </>
  );
}

function EncryptionNotice({ id }: { id: string }) {
  const [isForgotten, setForgotten] = useState(false);
  return (
    <div class="card stack">
      <p class="icon-line">
        <Icon name="lock" /> {texts.encrypted}
      </p>
      {isForgotten ? (
        <Notice>{texts.forgotten}</Notice>
      ) : (
        <button type="button" class="button-quiet" onClick={() => void forgetKey(id).then(() => setForgotten(true))}>
          {texts.forget}
        </button>
      )}
    </div>
  );
}

function LeaveOrReport({ id }: { id: string }) {
  const { route } = useLocation();
  const [opened, setOpened] = useState<"leave" | "report" | null>(null);
  const { error, run, isRunning } = useAction();
  const close = () => setOpened(null);
  const leave = async () => {
    if (await run(() => changeConversation(id, { action: "leave" }))) route("/app/chats", true);
  };
  return (
    <div class="button-row">
      <button type="button" class="button-quiet" onClick={() => setOpened("report")}>
        <Icon name="flag" /> {texts.report}
      </button>
      <button type="button" class="button-danger" onClick={() => setOpened("leave")}>
        {texts.leave}
      </button>
      {opened === "report" && <ReportDialog reported={{ type: "group", id }} onClose={close} />}
      {opened === "leave" && (
        <Dialog title={texts.leave} onClose={close}>
          {error && <Notice kind="error">{error.message}</Notice>}
          <p>{texts.sure}</p>
          <button type="button" class="button-danger" disabled={isRunning} onClick={() => void leave()}>
            {texts.leave}
          </button>
        </Dialog>
      )}
    </div>
  );
}
