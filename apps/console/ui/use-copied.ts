import { CONSTANTS } from '@moorage/domain';
import { useEffect, useState } from 'react';

/**
 * Copies a value and reports it for two seconds. If the browser refuses, nothing happens and the value stays
 * selectable.
 */
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
