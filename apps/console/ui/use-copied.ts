import { CONSTANTS } from '@moorage/domain';
import { useEffect, useState } from 'react';

/** Copies and says so for two seconds; a browser that refuses is asked nothing more: the value stays selectable beside it. */
export function useCopied(): { copied: boolean; copy: (value: string) => void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONSTANTS.copyConfirmationMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (value: string): void => {
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return { copied, copy };
}
