import { useEffect, useEffectEvent, useState } from 'react';
import type { ReceiptOnWire } from '../../../src/contract/receipts.ts';
import { isRefusal } from '../../api/fault.ts';
import { readEventStream } from '../../api/read-event-stream.ts';
import { fetchRuntime } from '../../api/runtime-client.ts';

const AGAIN_AFTER_MS = [500, 1_000, 2_000, 5_000, 10_000] as const;

interface Tail {
  readonly organization: string;
  readonly stream: string;
  readonly on: boolean;
  /** The index of the last known receipt; undefined until it is loaded. */
  readonly after: number | undefined;
  readonly onReceipt: (receipt: ReceiptOnWire) => void;
}

/** Follows a stream after the last known receipt and reconnects when needed. Returns whether it is connected. */
export function useLiveTail({ organization, stream, on, after, onReceipt }: Tail): {
  connected: boolean;
  fault: unknown;
} {
  const [connected, setConnected] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const take = useEffectEvent(onReceipt);
  const known = useEffectEvent(() => after ?? -1);
  const ready = on && after !== undefined;

  useEffect(() => {
    if (!ready) return undefined;
    const left = new AbortController();
    const follow = async (): Promise<void> => {
      let last = known();
      for (let failures = 0; !left.signal.aborted;) {
        try {
          const path = `/service/stream?stream=${encodeURIComponent(stream)}&from=${last + 1}`;
          const response = await fetchRuntime(organization, path, {
            headers: { accept: 'text/event-stream' },
            signal: left.signal,
          });
          setConnected(true);
          failures = 0;
          if (response.body !== null) {
            for await (const { data } of readEventStream(response.body)) {
              const receipt = JSON.parse(data) as ReceiptOnWire;
              last = receipt.index;
              take(receipt);
            }
          }
        } catch (error) {
          if (isRefusal(error)) return setFault(error);
        }
        if (left.signal.aborted) return;
        setConnected(false);
        await new Promise((resolve) =>
          setTimeout(resolve, AGAIN_AFTER_MS[Math.min(failures, AGAIN_AFTER_MS.length - 1)]),
        );
        failures += 1;
      }
    };
    void follow();
    return () => {
      left.abort();
      setConnected(false);
      setFault(undefined);
    };
  }, [ready, organization, stream]);
  return { connected, fault };
}
