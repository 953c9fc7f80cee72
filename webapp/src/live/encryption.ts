/**
 * Encrypted groups: the key is made from a passphrase that the members tell each other, and stays
 * in this browser, where scripts can use it but not read it.
 */

import { dropCopy, keepCopy, ONLY_HERE, readCopy } from "../device/store";

const ROUNDS = 310_000;
const IV_BYTES = 12;
const CHECK_BYTES = 16;
/** Before a `keyCheck` of this form; other apps have others. */
const CHECK_FORM = "1.";

/** The key of a conversation: PBKDF2-SHA-256 of the passphrase, the conversation's id as salt. */
export async function makeKey(passphrase: string, conversationId: string): Promise<CryptoKey> {
  const derivation = derivationWith(new TextEncoder().encode(conversationId));
  const aes = { name: "AES-GCM", length: 256 };
  return crypto.subtle.deriveKey(derivation, await materialOf(passphrase), aes, false, ["encrypt", "decrypt"]);
}

/**
 * The `keyCheck` of a new group: "1." and base64 of a random salt and of what the passphrase makes with it. It tells
 * a wrong passphrase before anything is written with that; it is no harder and no easier to guess by than a message.
 */
export async function makeKeyCheck(passphrase: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(CHECK_BYTES));
  return CHECK_FORM + base64Of(salt, await checkOf(passphrase, salt));
}

/** Whether it is the passphrase of this `keyCheck`; `undefined` for one that another app has made. */
export async function fitsKeyCheck(passphrase: string, keyCheck: string): Promise<boolean | undefined> {
  if (!keyCheck.startsWith(CHECK_FORM)) return undefined;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = bytesOf(keyCheck.slice(CHECK_FORM.length));
  } catch {
    return undefined;
  }
  if (bytes.length !== 2 * CHECK_BYTES) return undefined;
  const salt = bytes.slice(0, CHECK_BYTES);
  return CHECK_FORM + base64Of(salt, await checkOf(passphrase, salt)) === keyCheck;
}

async function checkOf(passphrase: string, salt: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.deriveBits(derivationWith(salt), await materialOf(passphrase), 8 * CHECK_BYTES));
}

const derivationWith = (salt: Uint8Array<ArrayBuffer>) => ({ name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS });

function materialOf(passphrase: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(passphrase.normalize("NFC").trim());
  return crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveKey", "deriveBits"]);
}

const nameOf = (conversationId: string): string => `${ONLY_HERE}key-${conversationId}`;

export const keepKey = (conversationId: string, key: CryptoKey): Promise<void> => keepCopy(nameOf(conversationId), key);
export const readKey = async (conversationId: string): Promise<CryptoKey | undefined> =>
  (await readCopy<CryptoKey>(nameOf(conversationId)))?.data;
export const forgetKey = (conversationId: string): Promise<void> => dropCopy(nameOf(conversationId));

/** Base64 of IV, ciphertext and tag, as the API takes it. */
export async function encrypt(text: string, key: CryptoKey): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const encrypted = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode(text));
  return base64Of(iv, new Uint8Array(encrypted));
}

/** The text, or `undefined` when the key is another one. `iv` where the sender sent it apart. */
export async function decrypt(content: string, iv: string | null, key: CryptoKey): Promise<string | undefined> {
  try {
    const all = bytesOf(content);
    const [start, data] = iv ? [bytesOf(iv), all] : [all.slice(0, IV_BYTES), all.slice(IV_BYTES)];
    return new TextDecoder().decode(await crypto.subtle.decrypt({ name: "AES-GCM", iv: start }, key, data));
  } catch {
    return undefined;
  }
}

const base64Of = (...parts: Uint8Array[]): string => btoa(String.fromCharCode(...parts.flatMap((part) => [...part])));
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
