import { useState } from 'react';
import { Download } from 'lucide-react';
import type { Deployment } from '../../../data/deployments';
import { type Logs, useLogs, useLogSearch } from '../../../data/logs';
import { errorText } from '../../../data/problem-message';
import { useText } from '../../../texts/console-i18n';
import { Button } from '../../../ui/button';
import { useDebounced } from '../../../ui/debounced';
import { ErrorAlert } from '../../../ui/error-alert';
import { saveFile } from '../../../ui/save-file';
import { CardsSkeleton } from '../page/cards-skeleton';
import { HeaderAction } from '../page/header-action';
import { usePage } from '../page/page-context';
import { ContainersCard } from './containers-card';
import { LogCard } from './log-card';
import { fileName, fileOf, type LineChoice, shownLines } from './shown-lines';
import './logs-tab.css';

const SEARCH_AFTER_MS = 600;

/** Logs of the containers of a deployment, as they are written, and the containers. */
export default function LogsTab() {
  const t = useText();
  const { id, details } = usePage();
  const { logs, error, retry } = useLogs(id);
  if (logs === undefined && error !== null)
    return <ErrorAlert text={t('logs.failed')} detail={errorText(error)} onRetry={retry} />;
  if (details === undefined || logs === undefined) return <CardsSkeleton />;
  return <Shown key={id} deployment={details.deployment} logs={logs} error={error} />;
}

function Shown({ deployment, logs: read, error }: { deployment: Deployment; logs: Logs; error: Error | null }) {
  const t = useText();
  const [choice, setChoice] = useState<LineChoice>({ text: '', level: 'all', container: null });
  /** Logs at the moment of the pause. Their lines stay visible, however many follow. */
  const [paused, setPaused] = useState<Logs | null>(null);
  const search = useLogSearch(deployment.id, useDebounced(choice.text.trim(), SEARCH_AFTER_MS));
  const logs = paused === null ? read : { ...read, lines: paused.lines };
  const older = choice.text === '' ? [] : (search.data?.lines ?? []);
  const shown = shownLines({ older, loaded: logs.lines }, choice);
  const all = [...shown.older, ...shown.loaded];
  return (
    <>
      <HeaderAction>
        <Button
          icon={Download}
          disabled={all.length === 0}
          onClick={() =>
            saveFile(
              new Blob([fileOf(all)], { type: 'text/plain;charset=utf-8' }),
              fileName(deployment.client_name, Date.now()),
            )
          }
        >
          {t('logs.download')}
        </Button>
      </HeaderAction>
      <div className="deployment-cols logs">
        <div>
          <LogCard
            logs={logs}
            error={error}
            shown={shown}
            choice={choice}
            onChoose={(change) => setChoice({ ...choice, ...change })}
            isPaused={paused !== null}
            waiting={paused === null ? 0 : read.received - paused.received}
            onPause={(isPaused) => setPaused(isPaused ? read : null)}
            search={choice.text.trim() === '' ? undefined : search.data}
            searchError={choice.text.trim() === '' ? null : search.error}
          />
        </div>
        <aside>
          <ContainersCard
            deployment={deployment}
            containers={logs.containers}
            chosen={choice.container}
            onChoose={(container) => setChoice({ ...choice, container })}
          />
        </aside>
      </div>
    </>
  );
}
