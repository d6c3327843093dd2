import type { Message } from '@moorage/domain';
import { useEffect, useRef } from 'react';
import { useText } from '../../texts/console-i18n';
import { Found } from '../../wizard/own-server';
import { ServerAddress } from '../../wizard/server-address';
import { askAboutServer, refusedServer } from '../../wizard/use-vps-check';
import { PeripheryScript } from '../drawer/own-server-script';
import { NOT_LOOKED, type ServerLook } from './use-new-place';

/** Address of a customer's own server, with the check that must pass first. */
export function OwnServerField({
  address,
  onType,
  look,
  onLook,
  packageName,
  problem,
}: {
  address: string;
  onType: (address: string) => void;
  look: ServerLook;
  onLook: (look: ServerLook) => void;
  packageName: string | null;
  /** The server's error about the address when the order was sent. */
  problem: Message | null;
}) {
  const t = useText();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const isLooking = look.state === 'looking';
  const wrong = look.state === 'refused' ? look.message : problem;

  const check = (): void => {
    if (isLooking || address.trim() === '') return;
    const over = new AbortController();
    running.current = over;
    onLook({ ...NOT_LOOKED, state: 'looking' });
    const failed = t('wizard.vps.failed');
    void askAboutServer(address.trim(), { signal: over.signal, failed }).then(
      ({ state, message, code, facts, ...found }) => {
        if (over.signal.aborted) return;
        onLook({ state: state === 'passed' ? 'passed' : 'refused', message: { code, facts, detail: message }, found });
      },
      (error: unknown) => {
        if (!over.signal.aborted) onLook({ state: 'refused', ...refusedServer(error, failed) });
      },
    );
  };
  return (
    <div className="own-server-field">
      {packageName === null ? null : (
        <details>
          <summary>{t('backups.create.script')}</summary>
          <PeripheryScript packageName={packageName} />
        </details>
      )}
      <ServerAddress
        address={address}
        onType={(typed) => {
          running.current?.abort();
          onLook(NOT_LOOKED);
          onType(typed);
        }}
        hint={t('wizard.vps.address_hint')}
        isOff={isLooking || address.trim() === ''}
        isChecking={isLooking}
        passed={look.state === 'passed' ? { message: look.message } : null}
        wrong={wrong}
        onCheck={check}
      />
      {look.found === null ? null : <Found check={look.found} said={look.message} />}
    </div>
  );
}
