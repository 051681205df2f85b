package dataset

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// classKey marks the class of a record at the end of its header.
const classKey = "class="

// WriteFASTA writes sequences, one per line. Records without a name are numbered from 1. The class of a labelled
// configuration ends its header, as in ">7 class=A", where ReadFASTA finds it; FASTA has no place for weights.
func WriteFASTA(w io.Writer, d *Dataset) error {
	if d.Alphabet == "" {
		return fmt.Errorf("%s has no alphabet: expected sequences to write as FASTA", d.Name)
	}
	if err := d.Check(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	for k := range d.States.Len {
		name := strconv.Itoa(k + 1)
		if d.Names != nil {
			name = oneLine(d.Names[k])
		}
		b.WriteString(">" + name)
		if d.Labels != nil {
			b.WriteString(" " + classKey + strings.ReplaceAll(oneLine(d.LabelName(d.Labels[k])), " ", "_"))
		}
		b.WriteByte('\n')
		for _, a := range d.States.CodeRow(k) {
			b.WriteByte(d.Alphabet[a])
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

// oneLine makes a name fit on one line.
func oneLine(name string) string {
	return strings.Join(strings.Fields(name), " ")
}
