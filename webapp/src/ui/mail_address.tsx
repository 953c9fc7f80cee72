/** An e-mail address that goes on in the next line after its `@` or a dot, where it has to. */
export function MailAddress({ address }: { address: string }) {
  const parts = address.match(/[^@.]+[@.]*|[@.]+/g) ?? [];
  return <>{parts.flatMap((part, index) => (index > 0 ? [<wbr key={index} />, part] : [part]))}</>;
}
