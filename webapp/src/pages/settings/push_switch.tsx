import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { good } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { useResource } from "../../lib/use_resource";
import {
  canPush,
  isDenied,
  readPushKey,
  readSubscriptions,
  turnOffPush,
  turnOnPush,
} from "../../notifications/push";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";
import { PushDevices } from "./push_devices";

const texts = inLanguage({
  en: {
    title: "Push",
    about: "A push is shown on your device, also when the app is closed.",
    unavailable: "Push is not available here.",
    unsupported:
      "This browser cannot show pushes. " +
      "On an iPhone or iPad, first add the app to the Home Screen and open it from there.",
    denied:
      "Your browser does not allow notifications from this site. " +
      "You can allow them in the browser's settings for the site, and then come back.",
    stopped: "Push has stopped on this device: the browser has ended it. Turn it on again to get pushes.",
    isOn: "Push is on for this device. Choose below what is pushed.",
    turnOn: "Turn on push on this device",
    turnOff: "Turn off push on this device",
    test: "Send a test",
    tested: "A test is on its way. It should be here in a few seconds.",
  },
  sv: {
    title: "Push",
    about: "En push visas på din enhet, även när appen är stängd.",
    unavailable: "Push finns inte här.",
    unsupported:
      "Den här webbläsaren kan inte visa push. " +
      "På en iPhone eller iPad måste du först lägga till appen på hemskärmen och öppna den därifrån.",
    denied:
      "Din webbläsare tillåter inte notiser från den här webbplatsen. " +
      "Du kan tillåta dem i webbläsarens inställningar för webbplatsen och sedan komma tillbaka.",
    stopped: "Push har slutat fungera på den här enheten: webbläsaren har avslutat det. Slå på det igen för att få push.",
    isOn: "Push är på för den här enheten. Välj nedan vad du vill få som push.",
    turnOn: "Slå på push på den här enheten",
    turnOff: "Stäng av push på den här enheten",
    test: "Skicka ett test",
    tested: "Ett test är på väg. Det bör komma inom några sekunder.",
  },
});

/** Null where the service sends no pushes. */
async function readState() {
  const key = await readPushKey();
  return key === null ? null : { key, ...(await readSubscriptions()) };
}

/** Pushes to this device, and the other devices that receive them. */
export function PushSwitch() {
  const resource = useResource("push-devices", readState);
  return (
    <section class="card stack">
      <div>
        <h2>{texts.title}</h2>
        <p class="quiet">{texts.about}</p>
      </div>
      <Loaded resource={resource} brief>
        {(state) =>
          state === null ? (
            <Notice>{texts.unavailable}</Notice>
          ) : (
            <>
              {canPush() ? (
                <>
                  {state.hasStopped && <Notice kind="warning">{texts.stopped}</Notice>}
                  <ThisDevice pushKey={state.key} ownId={state.ownId} reload={resource.reload} />
                </>
              ) : (
                <Notice>{texts.unsupported}</Notice>
              )}
              <PushDevices
                others={state.subscriptions.filter(({ id }) => id !== state.ownId)}
                ended={state.ended}
                reload={resource.reload}
              />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

interface DeviceProps {
  pushKey: string;
  ownId: string | undefined;
  reload: () => Promise<void>;
}

/** The browser asks for the permission only after the button was pressed. */
function ThisDevice({ pushKey, ownId, reload }: DeviceProps) {
  const { isRunning, error, run } = useAction();
  const [isTested, setTested] = useState(false);
  const [isRefused, setRefused] = useState(isDenied);
  const turnOn = () =>
    run(async () => {
      setRefused(!(await turnOnPush(pushKey)) && isDenied());
      await reload();
    });
  const turnOff = (id: string) => run(() => turnOffPush(id).then(reload));
  const test = async (id: string) => {
    setTested(false);
    const params = { params: { path: { subscription_id: id } } };
    setTested(await run(() => good(api.POST("/api/push/subscriptions/{subscription_id}/test", params))));
  };
  return (
    <>
      {error && <Notice kind="error">{error.message}</Notice>}
      {isRefused && <Notice kind="warning">{texts.denied}</Notice>}
      {ownId === undefined ? (
        <button type="button" class="button" disabled={isRunning} onClick={() => void turnOn()}>
          {texts.turnOn}
        </button>
      ) : (
        <>
          <p>{texts.isOn}</p>
          <div class="button-row">
            <button type="button" class="button-quiet" disabled={isRunning} onClick={() => void test(ownId)}>
              {texts.test}
            </button>
            <button type="button" class="button-quiet" disabled={isRunning} onClick={() => void turnOff(ownId)}>
              {texts.turnOff}
            </button>
          </div>
          {isTested && <Notice>{texts.tested}</Notice>}
        </>
      )}
    </>
  );
}
