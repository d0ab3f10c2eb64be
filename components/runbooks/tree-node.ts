/** As much of a node of a Markdown document's tree as is looked at. */
export interface TreeNode {
  type: string
  value?: string
  children?: readonly TreeNode[]
}

export function textIn({ value, children = [] }: TreeNode): string {
  return value ?? children.map(textIn).join('')
}
