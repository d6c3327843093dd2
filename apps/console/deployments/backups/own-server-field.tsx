import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { Message } from '@moorage/domain';
import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { Found } from '../../wizard/own-server';
import { askAboutServer, refusedServer } from '../../wizard/use-vps-check';
import { PeripheryScript } from '../drawer/own-server-script';
import { NOT_LOOKED, type ServerLook } from './use-new-place';

/** The address of an own server, and the look at it that has to be passed first. */
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
  /** What the server said of the address when the order was sent. */
  problem: Message | null;
}) {
  const t = useText();
  const id = useId();
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
      <label htmlFor={id}>{t('wizard.vps.address')}</label>
      <div className="row">
        <OutlinedInput
          id={id}
          className="mono grow"
          size="small"
          value={address}
          placeholder="203.0.113.7"
          error={wrong !== null}
          inputProps={{
            'aria-describedby': `${id}-hint ${id}-state`,
            'aria-invalid': wrong !== null,
            autoComplete: 'off',
            autoCapitalize: 'none',
            spellCheck: false,
            maxLength: 100,
          }}
          onChange={({ target }) => {
            running.current?.abort();
            onLook(NOT_LOOKED);
            onType(target.value);
          }}
        />
        <Button aria-disabled={isLooking || address.trim() === ''} aria-describedby={`${id}-hint`} onClick={check}>
          {isLooking ? <LoaderCircle size={16} className="spin" aria-hidden="true" /> : null}
          {t(isLooking ? 'wizard.vps.validating' : 'wizard.vps.validate')}
        </Button>
      </div>
      <p className="hint" id={`${id}-hint`}>
        {t('wizard.vps.address_hint')}
      </p>
      <div role="status" id={`${id}-state`}>
        {isLooking ? <p className="small soft">{t('wizard.vps.looking')}</p> : null}
        {look.state === 'passed' ? (
          <p className="note star">
            <CircleCheck size={16} aria-hidden="true" />
            <b>{look.message === null ? t('wizard.vps.passed') : messageText(look.message)}</b>
          </p>
        ) : null}
        {wrong === null ? null : (
          <p className="note port">
            <CircleAlert size={16} aria-hidden="true" />
            <b>{messageText(wrong)}</b>
          </p>
        )}
      </div>
      {look.found === null ? null : <Found check={look.found} said={look.message} />}
    </div>
  );
}
