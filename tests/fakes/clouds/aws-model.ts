import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Shape {
  readonly type?: string;
  /** Name of the shape that this shape refers to. */
  readonly shape?: string;
  readonly required?: readonly string[];
  readonly members?: Readonly<Record<string, Shape>>;
  readonly member?: Shape;
  readonly locationName?: string;
  readonly queryName?: string;
}

export interface Form {
  [name: string]: string | Form;
}

const SCALARS: Readonly<Record<string, RegExp>> = {
  integer: /^-?\d+$/,
  long: /^-?\d+$/,
  double: /^-?\d+(\.\d+)?$/,
  boolean: /^(true|false)$/,
  timestamp: /^\d{4}-\d\d-\d\dT/,
  blob: /^[A-Za-z0-9+/]*={0,2}$/,
};

/** Compares requests with AWS's own description of its API, as a form for `ec2` and unchanged for `json`. */
export class AwsModel {
  private readonly model: {
    readonly metadata: { readonly protocol: string };
    readonly operations: Readonly<Record<string, { readonly input?: Shape }>>;
    readonly shapes: Readonly<Record<string, Shape>>;
  };

  constructor(file: string) {
    this.model = JSON.parse(readFileSync(join('tests', 'clouds', 'descriptions', file), 'utf8')) as AwsModel['model'];
  }

  /** Returns the parameters that AWS would not know, would miss or could not parse. */
  violations(action: string, input: object): string[] {
    const operation = this.model.operations[action];
    if (operation === undefined) return [`${action}: no such action`];
    return this.differences(operation.input ?? { type: 'structure', members: {} }, input, action);
  }

  private differences(given: Shape, value: unknown, at: string): string[] {
    const shape = given.shape === undefined ? given : (this.model.shapes[given.shape] ?? given);
    const type = shape.type ?? 'string';
    const isForm = this.model.metadata.protocol === 'ec2';
    if (type === 'structure' || type === 'list') {
      if (typeof value !== 'object' || value === null) return [`${at}: no ${type}`];
      const entries = Object.entries(value);
      if (type === 'list') {
        const numbered = entries.every(([key], index) => Number(key) === index + (isForm ? 1 : 0));
        const { member = {} } = shape;
        return [
          ...(numbered ? [] : [`${at}: not numbered in order`]),
          ...entries.flatMap(([key, one]) => this.differences(member, one, `${at}.${key}`)),
        ];
      }
      const members = new Map(
        Object.entries(shape.members ?? {}).map(([name, one]) => [isForm ? formName(name, one) : name, { name, one }]),
      );
      const there = new Set(entries.map(([key]) => members.get(key)?.name));
      return [
        ...(shape.required ?? []).filter((name) => !there.has(name)).map((name) => `${at}.${name}: is missing`),
        ...entries.flatMap(([key, one]) => {
          const member = members.get(key);
          return member === undefined ? [`${at}.${key}: unknown`] : this.differences(member.one, one, `${at}.${key}`);
        }),
      ];
    }
    if (isForm ? typeof value !== 'string' : typeof value !== (type === 'integer' ? 'number' : type)) {
      return [`${at}: no ${type}`];
    }
    return SCALARS[type]?.test(String(value)) === false ? [`${at}: no ${type}`] : [];
  }
}

/** Returns the name of a parameter in the Query protocol of EC2. */
function formName(member: string, { queryName, locationName = member }: Shape): string {
  return queryName ?? locationName.charAt(0).toUpperCase() + locationName.slice(1);
}

/** Converts `Filter.1.Name=x` to `{Filter: {1: {Name: 'x'}}}`. */
export function formOf(flat: Readonly<Record<string, unknown>>): Form {
  const form: Form = {};
  for (const [path, value] of Object.entries(flat)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let here = form;
    for (const name of names) {
      const inner = here[name];
      here = typeof inner === 'object' ? inner : (here[name] = {});
    }
    here[last] = String(value);
  }
  return form;
}
