import type { MappingView } from '../../ui/api/index.ts';
import { ColumnChoices, optionsFor } from './column-combobox.tsx';
import type { MatchingProps } from './match-props.ts';

/** Which rows are one record, such as the variants of a product. */
export function GroupBy({ view, edit }: Pick<MatchingProps, 'edit'> & { readonly view: MappingView }) {
  const { groupBy, columns } = view;
  return (
    <details class="grouping">
      <summary>
        {groupBy.length === 0
          ? 'No column groups rows into one record. Change'
          : `Rows with the same ${groupBy.join(', ')} are one record. Change`}
      </summary>
      <ColumnChoices
        label="Rows are one record if they have the same"
        furtherLabel="and the same"
        addLabel="Add a column"
        chosen={groupBy}
        options={optionsFor(columns, '')}
        onChange={(by) => edit({ op: 'group', by })}
      />
    </details>
  );
}
