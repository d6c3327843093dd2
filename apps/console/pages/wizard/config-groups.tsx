import { Fragment, type ReactNode, useId } from 'react';
import { useText } from '../../texts/console-i18n';
import type { FieldGroup, Requested } from './config-fields';
import { useGroupPurpose } from './use-group-purpose';

/** Card with the required or the optional fields. */
export function ConfigPart({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="card part" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
      </header>
      <div className="pad">
        {text === undefined ? null : <p className="soft">{text}</p>}
        {children}
      </div>
    </section>
  );
}

/** Fields in their groups. `children` renders a field. */
export function ConfigGroups({
  groups,
  children,
}: {
  groups: readonly FieldGroup[];
  children: (requested: Requested) => ReactNode;
}) {
  const t = useText();
  const purpose = useGroupPurpose();
  return groups.map(({ group, fields }) => {
    const inputs = fields.map((requested) => <Fragment key={requested.name}>{children(requested)}</Fragment>);
    return group === null ? (
      <div className="fields" key={fields[0]?.name}>
        {inputs}
      </div>
    ) : (
      <ConfigGroup key={group} title={t(`wizard.config.group.${group}`)} text={purpose(group)}>
        {inputs}
      </ConfigGroup>
    );
  });
}

/** Fields with a common title and purpose. */
export function ConfigGroup({ title, text = '', children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <fieldset className="group">
      <legend>{title}</legend>
      {text === '' ? null : <p className="small soft">{text}</p>}
      <div className="fields">{children}</div>
    </fieldset>
  );
}
