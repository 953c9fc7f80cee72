/** One WebSocket that opens again by itself, sooner when the device wakes up or has a connection again. */

import type { components } from "../api/events";

export type ServiceEvent = components["schemas"]["Event"];
type Frame = components["schemas"]["Frame"];

interface Listener {
  onEvent: (event: ServiceEvent) => void;
  /** Before the next try; `code` says why the last connection ended (1006: it broke). Throws to give up. */
  onClose: (code: number) => Promise<void>;
}

const SECOND = 1000;
const PING_EVERY = 30 * SECOND;
const PONG_WITHIN = 10 * SECOND;
const LONGEST_PAUSE = 30 * SECOND;

export class LiveSocket {
  private socket: WebSocket | null = null;
  private isStopped = false;
  private wake: () => void = () => undefined;
  private pause = SECOND;

  constructor(private readonly listener: Listener) {}

  async run(): Promise<void> {
    const wake = () => this.wake();
    const onShown = () => document.visibilityState === "visible" && this.check();
    addEventListener("online", wake);
    document.addEventListener("visibilitychange", onShown);
    try {
      while (!this.isStopped) {
        const code = await this.connection();
        if (this.isStopped) return;
        await this.listener.onClose(code);
        await this.rest();
      }
    } finally {
      removeEventListener("online", wake);
      document.removeEventListener("visibilitychange", onShown);
    }
  }

  stop(): void {
    this.isStopped = true;
    this.socket?.close();
    this.wake();
  }

  /** Ends the connection, and hears nothing more of it; the next one is opened as usual. */
  drop(): void {
    if (this.socket) this.socket.onmessage = null;
    this.socket?.close();
  }

  /** Sends a frame if there is a connection; frames are hints that may be lost. */
  send(frame: Frame): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /** After sleep a connection may look open and be dead: asks now instead of at the next ping. */
  private check(): void {
    this.wake();
    this.ping();
  }

  private answered = true;
  private ping(): void {
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN) return;
    this.answered = false;
    this.send({ type: "ping" });
    setTimeout(() => !this.answered && socket === this.socket && socket.close(), PONG_WITHIN);
  }

  /** Resolves with the close code when a connection has ended. */
  private connection(): Promise<number> {
    const address = new URL("/ws", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.socket = socket;
    const timer = setInterval(() => this.ping(), PING_EVERY);
    socket.onmessage = ({ data }) => {
      this.answered = true;
      this.pause = SECOND;
      this.listener.onEvent(JSON.parse(String(data)) as ServiceEvent);
    };
    return new Promise((resolve) => {
      socket.onclose = ({ code }) => {
        clearInterval(timer);
        resolve(code);
      };
    });
  }

  private rest(): Promise<void> {
    const pause = this.pause * (0.5 + Math.random() / 2);
    this.pause = Math.min(LONGEST_PAUSE, 2 * this.pause);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
