import { ExternalLink } from 'lucide-react';
import { AdminOnly } from '../../parts/admin-only';
import { pages } from '../../data/navigation';
import { useText } from '../../texts/console-i18n';
import { useConsoleSettings } from '../../data/brand';
import { useAction } from '../../data/use-action';
import { refusalOf } from '../../data/problem-message';
import { TwoFactorRequiredError } from '../../ui/two-factor-required';
import { useTitle } from '../../ui/use-title';
import { Button } from '../../ui/button';

/** Opens the queue board, which is a separate page. */
export default function QueuesPage() {
  const t = useText();
  useTitle(t('queues.title'));
  const { has_queue_board: hasQueues } = useConsoleSettings();
  return (
    <AdminOnly>
      <main className="main" id="content" tabIndex={-1}>
        <div className="title">
          <h1 className="grow">{t('queues.title')}</h1>
        </div>
        {hasQueues ? <Board /> : <p className="note flat">{t('queues.none')}</p>}
      </main>
    </AdminOnly>
  );
}

function Board() {
  const t = useText();
  const { mutateAsync, isPending, error } = useAction('queues', 'openBoard');
  // The tab opens immediately, while the browser still counts it as a click.
  const open = (): void => void showIn(window.open('', '_blank'), mutateAsync());
  return (
    <div className="card pad stack">
      <p>{t('queues.why')}</p>
      <p className="soft">{t('queues.lasts')}</p>
      <div className="row">
        <Button kind="primary" busy={isPending} onClick={open} endIcon={ExternalLink}>
          {t(isPending ? 'queues.opening' : 'queues.open')}
          <span className="vh"> ({t('queues.new_tab')})</span>
        </Button>
      </div>
      {error === null ? null : (
        <p className="note port" role="alert">
          <TwoFactorRequiredError error={error} failed={refusalOf(error) ?? t('queues.failed')} />
        </p>
      )}
    </div>
  );
}

/** Shows the board in the tab once its session has been opened. An error closes the tab and appears on the page. */
async function showIn(tab: Window | null, opening: Promise<{ readonly path: string }>): Promise<void> {
  try {
    const { path } = await opening;
    // The browser blocks new tabs.
    if (tab === null) return pages.load(path);
    tab.opener = null;
    tab.location.replace(path);
  } catch {
    tab?.close();
  }
}
