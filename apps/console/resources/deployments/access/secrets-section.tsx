import { useState } from 'react';
import type { RouteAnswer } from '@moorage/contracts';
import type { Deployment } from '../../../data/deployments';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { CopyButton } from '../../../ui/copy-button';
import { useActsAsOwner } from '../actions';
import { isOver } from '../../../parts/deployment/deployment-messages';
import { Section } from '../section';
import { Button } from '../../../ui/button';

type Secret = RouteAnswer<'POST /deployments/{id}/reveal-secrets'>['secrets'][number];

const mayHaveSecrets = (deployment: Deployment): boolean =>
  !isOver(deployment) && deployment.status !== 'FAILED' && deployment.status !== 'DESTROYING';

/**
 * Secrets of the deployment, for the owner only. Every reveal is audited, and the values exist only in this component.
 */
export function SecretsSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const isOwner = useActsAsOwner(deployment);
  const [secrets, setSecrets] = useState<readonly Secret[] | null>(null);
  const reveal = useAction('deployments', 'revealSecrets');
  if (!isOwner || !mayHaveSecrets(deployment)) return null;
  const shownAbove = (deployment.sign_in ?? []).flatMap(({ password, token }) => [password, token]);
  const show = (): void =>
    reveal.mutate(
      { params: { id: deployment.id } },
      {
        onSuccess: (answer) => {
          setSecrets(answer.secrets.filter(({ name }) => !shownAbove.includes(name)));
          reveal.reset();
        },
      },
    );
  return (
    <Section
      className="secrets-sec"
      title={t('deployments.secrets.title')}
      aside={
        <Button size="small" busy={reveal.isPending} onClick={secrets === null ? show : () => setSecrets(null)}>
          {reveal.isPending
            ? t('deployments.secrets.revealing')
            : secrets === null
              ? t('deployments.secrets.reveal')
              : t('deployments.secrets.hide')}
        </Button>
      }
    >
      <p className="hint">{t('deployments.secrets.lead')}</p>
      {reveal.isError ? (
        <p role="alert" className="problem small">
          {t('deployments.secrets.failed')}
        </p>
      ) : null}
      {secrets === null ? null : secrets.length === 0 ? (
        <p className="small soft">
          {t(shownAbove.length === 0 ? 'deployments.secrets.none' : 'deployments.secrets.no_more')}
        </p>
      ) : (
        <dl className="kv secrets">
          {secrets.map(({ name, label, value }) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd className="row tight">
                <span className="mono">{value}</span>
                <CopyButton value={value} what={label} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}
