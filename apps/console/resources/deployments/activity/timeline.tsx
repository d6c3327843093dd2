import { useText } from '../../../texts/console-i18n';
import type { Details } from '../use-details';
import { ProgressTimeline } from './progress-timeline';

/** Timeline of the work in progress or of what failed, or the error of loading it. */
export function Timeline({ details }: { details: Details }) {
  const t = useText();
  const { progress, isInFlight, showsTimeline } = details;
  return (
    <>
      {progress.isError && isInFlight ? (
        <p className="small soft" role="alert">
          {t('deployments.progress.failed')}
        </p>
      ) : null}
      {showsTimeline ? <RunSteps details={details} /> : null}
    </>
  );
}

/** Steps of the latest run, once they have loaded. */
export function RunSteps({ details: { deployment, provider, progress, dns } }: { details: Details }) {
  if (progress.data === undefined) return null;
  return (
    <ProgressTimeline
      deployment={deployment}
      provider={provider}
      progress={progress.data}
      arrivedAt={progress.dataUpdatedAt}
      dns={dns.data}
    />
  );
}

/** Error of loading the records of a deployment that waits for them. */
export function DnsError({ details: { dns, withRecords, setsUp } }: { details: Details }) {
  const t = useText();
  if (!dns.isError || !withRecords || !setsUp) return null;
  return (
    <p className="small soft" role="alert">
      {t('deployments.dns.failed')}
    </p>
  );
}
