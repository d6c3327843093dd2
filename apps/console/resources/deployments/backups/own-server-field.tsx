import type { Message } from '@moorage/domain';
import { useEffect, useRef } from 'react';
import { useConsoleSettings } from '../../../data/brand';
import { useText } from '../../../texts/console-i18n';
import { ServerCheck } from '../../../parts/order/server-check';
import { ServerAddress } from '../../../parts/order/server-address';
import { SimulatedServer } from '../../../parts/order/simulated-server';
import { requestServerCheck, refusedServer } from '../../../parts/order/server-check-request';
import { PeripheryScript } from '../access/own-server-script';
import { NOT_CHECKED, type ServerCheckForm } from './use-new-place';
import './own-server-field.css';

/** Address of a customer's own server, with the check that must pass first. */
export function OwnServerField({
  address,
  onType,
  serverCheck,
  onServerCheck,
  packageName,
  problem,
}: {
  address: string;
  onType: (address: string) => void;
  serverCheck: ServerCheckForm;
  onServerCheck: (serverCheck: ServerCheckForm) => void;
  packageName: string | null;
  /** The server's error about the address when the order was sent. */
  problem: Message | null;
}) {
  const t = useText();
  const settings = useConsoleSettings();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const isServerChecking = serverCheck.state === 'looking';
  const wrong = serverCheck.state === 'refused' ? serverCheck.message : problem;

  const check = (): void => {
    if (isServerChecking || address.trim() === '') return;
    const over = new AbortController();
    running.current = over;
    onServerCheck({ ...NOT_CHECKED, state: 'looking' });
    const failed = t('wizard.vps.failed');
    void requestServerCheck(address.trim(), { settings, signal: over.signal, failed }).then(
      ({ state, message, code, facts, ...found }) => {
        if (over.signal.aborted) return;
        onServerCheck({
          state: state === 'passed' ? 'passed' : 'refused',
          message: { code, facts, detail: message },
          found,
        });
      },
      (error: unknown) => {
        if (!over.signal.aborted) onServerCheck({ state: 'refused', ...refusedServer(error, failed) });
      },
    );
  };
  const typed = (text: string): void => {
    running.current?.abort();
    onServerCheck(NOT_CHECKED);
    onType(text);
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
        onType={typed}
        hint={t('wizard.vps.address_hint')}
        isOff={isServerChecking || address.trim() === ''}
        isChecking={isServerChecking}
        passed={serverCheck.state === 'passed' ? { message: serverCheck.message } : null}
        wrong={wrong}
        onCheck={check}
      />
      <SimulatedServer onUse={typed} />
      {serverCheck.found === null ? null : <ServerCheck check={serverCheck.found} explanation={serverCheck.message} />}
    </div>
  );
}
