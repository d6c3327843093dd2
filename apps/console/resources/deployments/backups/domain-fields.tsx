import type { Message } from '@moorage/domain';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { bothForms } from '../../../ui/both-forms';
import { isOver } from '../../../parts/deployment/deployment-messages';
import { Radios, TextInput } from './create-inputs';
import type { NewPlaceForm } from './use-new-place';

/** Domain of the new deployment, which is that of the old one or another. */
export function DomainFields({
  form: { place, change },
  deployment,
  problem,
}: {
  form: NewPlaceForm;
  deployment: Deployment | undefined;
  problem: Message | undefined;
}) {
  const t = useText();
  if (deployment !== undefined && deployment.domain === null) return null;
  const isRunning = deployment !== undefined && !isOver(deployment);
  return (
    <div>
      <Radios
        label={t('backups.create.domain')}
        value={place.hasOtherDomain ? 'other' : 'same'}
        choices={[
          {
            value: 'same',
            label:
              deployment?.domain == null
                ? t('backups.create.domain_before')
                : t('backups.create.domain_same', { domain: bothForms(deployment.domain) }),
          },
          { value: 'other', label: t('backups.create.domain_other') },
        ]}
        problem={place.hasOtherDomain ? undefined : problem}
        onChoose={(value) => change({ hasOtherDomain: value === 'other' })}
      />
      {place.hasOtherDomain ? (
        <TextInput
          label={t('backups.create.domain_other')}
          isLabelHidden
          value={place.domain}
          problem={problem}
          onType={(domain) => change({ domain })}
        />
      ) : isRunning ? (
        <p className="hint">{t('backups.create.domain_same_hint', { name: deployment.client_name })}</p>
      ) : null}
    </div>
  );
}
