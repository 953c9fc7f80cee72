import { language } from "./language";

/** The service's label of a device, "Firefox on Android", in the language of the app. */
export const deviceName = (label: string): string => (language === "sv" ? label.replace(" on ", " på ") : label);
