import { useState } from 'react';
import { useRead } from '../../../data/use-read';
import { useText } from '../../../texts/console-i18n';
import { CopyTextButton } from '../../../ui/copy-button';
import { messageText } from '../../../texts/locale';
import { Button } from '../../../ui/button';
import './step-log.css';

/** Log of actions and results, line by line, to read and copy. */
export function StepLog({ id }: { id: number }) {
  const t = useText();
  const [shown, setShown] = useState(false);
  const { data: entries } = useRead(
    'deployments',
    'GET /deployments/{id}/steps',
    { params: { id } },
    { enabled: shown, retry: false },
  );
  const text = (entries ?? [])
    .map(
      ({ at, step, outcome, message }) =>
        `${at} ${step} ${outcome}${message === null ? '' : `: ${messageText(message)}`}`,
    )
    .join('\n');
  return (
    <>
      <Button kind="text" size="small" className="log-toggle" aria-expanded={shown} onClick={() => setShown(!shown)}>
        {shown ? t('deployments.progress.hide_log') : t('deployments.progress.show_log')}
      </Button>
      {shown && entries !== undefined ? (
        <section className="code log" aria-label={t('deployments.progress.log')}>
          <header>
            <span className="grow">{t('deployments.progress.log')}</span>
            {text === '' ? null : <CopyTextButton value={text} />}
          </header>
          <pre tabIndex={0}>{text === '' ? t('deployments.progress.log_empty') : text}</pre>
        </section>
      ) : null}
    </>
  );
}
