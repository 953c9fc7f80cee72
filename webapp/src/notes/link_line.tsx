import { isAcceptedLink } from "./link_address";

/** Where the link under the cursor leads. In the text itself, a tap moves the cursor. */
export function LinkLine({ address }: { address: unknown }) {
  if (!isAcceptedLink(address)) return null;
  return (
    <p class="link-line small">
      <a href={address} target="_blank" rel="noopener noreferrer">
        {address}
      </a>
    </p>
  );
}
