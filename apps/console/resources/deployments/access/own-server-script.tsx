import { Download, Terminal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Deployment } from '../../../data/deployments';
import { usePeripheryScript } from '../../../data/servers';
import { useText } from '../../../texts/console-i18n';
import { CopyTextButton } from '../../../ui/copy-button';
import { saveFile } from '../../../ui/save-file';
import { Section, useIsCard } from '../section';
import { Button } from '../../../ui/button';

/** Tells the owner to act before the deployment can continue. `children` is a link to the script. */
export function AccessNote({ children }: { children?: ReactNode }) {
  const t = useText();
  return (
    <div className="note">
      <Terminal size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{t('deployments.access.title')}</b>
        </p>
        <p className="soft">{t('deployments.access.lead')}</p>
      </div>
      {children}
    </div>
  );
}

/** The docker-compose file that gives us access to the owner's server. Collapsed unless it is needed now. */
export function OwnServerScript({ deployment, open }: { deployment: Deployment; open: boolean }) {
  const t = useText();
  const isCard = useIsCard();
  const [requested, setRequested] = useState(false);
  const isShown = open || requested;
  const script = <PeripheryScript packageName={deployment.package} />;
  if (isShown) return isCard ? <Section title={t('deployments.access.script')}>{script}</Section> : script;
  return (
    <Section
      title={t('deployments.access.script')}
      note={<span className="mono">{t('deployments.access.file')}</span>}
      aside={
        <Button size="small" onClick={() => setRequested(true)}>
          {t('deployments.access.show')}
        </Button>
      }
    />
  );
}

/** Content of the file, to copy or download. */
export function PeripheryScript({ packageName }: { packageName: string }) {
  const t = useText();
  const { data: script, isError } = usePeripheryScript(packageName, true);
  const name = t('deployments.access.file');
  return (
    <div>
      <section className="code wrapit" aria-label={name} aria-busy={script === undefined && !isError}>
        <header>
          <span className="mono grow">{name}</span>
          {script === undefined ? null : (
            <>
              <CopyTextButton value={script} />
              <Button
                kind="quiet"
                size="small"
                className="hide-s"
                onClick={() => saveFile(new Blob([script], { type: 'text/yaml' }), name)}
                icon={Download}
              >
                {t('deployments.access.download')}
              </Button>
            </>
          )}
        </header>
        {script === undefined ? (
          <p className="pad" role={isError ? 'alert' : 'status'}>
            {isError ? t('deployments.access.failed') : t('deployments.access.loading')}
          </p>
        ) : (
          <pre tabIndex={0}>{script}</pre>
        )}
      </section>
      <p className="hint">{t('deployments.access.hint')}</p>
    </div>
  );
}
