import { Download } from 'lucide-react';
import { useState } from 'react';
import { refusalText } from '../data/problem-message';
import { Button, type ButtonLook } from './button';
import { saveFile } from './save-file';
import { useToast } from './use-toast';

/** Button that loads a file and saves it under its name. */
export function DownloadButton({
  label,
  busyLabel,
  failed,
  accessibleName,
  name,
  load,
  size,
}: Pick<ButtonLook, 'size'> & {
  label: string;
  busyLabel: string;
  /** Toast after an error for which the server gives no reason. */
  failed: string;
  /** Names the file as well, if several buttons have the same label. */
  accessibleName?: string;
  /** Name of the file. */
  name: string;
  load: () => Promise<Blob>;
}) {
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      saveFile(await load(), name);
    } catch (error) {
      toast(refusalText(error, failed), { type: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size={size} aria-label={accessibleName} busy={busy} onClick={() => void save()} icon={Download}>
      {busy ? busyLabel : label}
    </Button>
  );
}
