import { inLanguage } from "../lib/language";
import { MailAddress } from "../ui/mail_address";

const texts = inLanguage({ en: { mail: "E-mail", call: "Call" }, sv: { mail: "Mejla", call: "Ring" } });

interface Props {
  name: string;
  email: string | null;
  phone: string | null;
}

/** How somebody is reached, where the school says so. */
export function Contacts({ name, email, phone }: Props) {
  if (!email && !phone) return null;
  return (
    <p class="contacts small">
      {email && (
        <a href={`mailto:${email}`} aria-label={`${texts.mail} ${name}: ${email}`}>
          <MailAddress address={email} />
        </a>
      )}
      {phone && (
        <a href={`tel:${phone.replace(/\s/g, "")}`} aria-label={`${texts.call} ${name}: ${phone}`}>
          {phone}
        </a>
      )}
    </p>
  );
}
