/**
 * Encrypted groups: the key is made from a passphrase that the members tell each other, and stays
 * in this browser, where scripts can use it but not read it.
 */

import { dropCopy, keepCopy, ONLY_HERE, readCopy } from "../device/store";

const ROUNDS = 310_000;
const IV_BYTES = 12;

/** The key of a conversation: PBKDF2-SHA-256 of the passphrase, the conversation's id as salt. */
export async function makeKey(passphrase: string, conversationId: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(passphrase.normalize("NFC").trim());
  const material = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveKey"]);
  const salt = new TextEncoder().encode(conversationId);
  const derivation = { name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS };
  return crypto.subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
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
  return btoa(String.fromCharCode(...iv, ...new Uint8Array(encrypted)));
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

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
