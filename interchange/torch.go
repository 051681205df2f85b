package interchange

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"instanton/internal/npy"
	"instanton/internal/pickle"
)

// A state_dict of PyTorch is a zip: data.pkl, a pickle of the names and shapes, and a file of numbers for each storage.

var storageTypes = map[pickle.Class]string{
	"torch.FloatStorage": "F32", "torch.DoubleStorage": "F64", "torch.HalfStorage": "F16",
	"torch.BFloat16Storage": "BF16",
	"torch.LongStorage":     "I64", "torch.IntStorage": "I32", "torch.ByteStorage": "U8", "torch.BoolStorage": "BOOL",
}

func knowsTorch(c pickle.Class) bool {
	switch c {
	case "collections.OrderedDict", "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_parameter":
		return true
	}
	_, ok := storageTypes[c]
	return ok
}

func isTorch(r io.ReaderAt, size int64) bool {
	z, err := zip.NewReader(r, size)
	return (err == nil || errors.Is(err, zip.ErrInsecurePath)) && torchPickle(z) != nil
}

func torchPickle(z *zip.Reader) *zip.File {
	for _, f := range z.File {
		if path.Base(f.Name) == "data.pkl" {
			return f
		}
	}
	return nil
}

// member reads a file of the zip, which PyTorch does not compress.
func member(f *zip.File, size int64) ([]byte, error) {
	if f.Method != zip.Store || f.UncompressedSize64 > uint64(size) {
		return nil, fmt.Errorf("member %q is compressed or too long: expected a file that torch.save wrote", f.Name)
	}
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, size))
}

func readTorch(r io.ReaderAt, size int64) (tensors, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	main := torchPickle(z)
	text, err := member(main, size)
	if err != nil {
		return nil, err
	}
	value, _, err := pickle.Reader{Knows: knowsTorch}.Read(text)
	if err != nil {
		return nil, fmt.Errorf("%w (save the parameters with torch.save(model.state_dict(), FILE))", err)
	}
	items := itemsOf(value)
	if inner := itemsOf(items["state_dict"]); inner != nil {
		items = inner
	}
	if items == nil {
		return nil, errors.New("it holds no dictionary of tensors: expected torch.save(model.state_dict(), FILE)")
	}
	storages := storageReader{folder: path.Dir(main.Name), zip: z, size: size, known: map[string][]byte{}}
	t := tensors{}
	for name, item := range items {
		o, ok := item.(*pickle.Object)
		if !ok {
			continue // a setting
		}
		if o.Class == "torch._utils._rebuild_parameter" && len(o.Args) > 0 {
			if o, ok = o.Args[0].(*pickle.Object); !ok {
				continue
			}
		}
		if o.Class != "torch._utils._rebuild_tensor_v2" {
			continue
		}
		if t[name], err = storages.tensor(o.Args); err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
	}
	return t, nil
}

// itemsOf returns the entries of a dictionary, or nil.
func itemsOf(value any) map[string]any {
	switch d := value.(type) {
	case *pickle.Dict:
		return d.Items
	case *pickle.Object:
		return d.Items
	}
	return nil
}

type storageReader struct {
	folder string
	zip    *zip.Reader
	size   int64
	known  map[string][]byte
}

var errTensor = errors.New("it is damaged: this is no tensor")

// tensor reads (storage, offset, shape, strides, …).
func (s *storageReader) tensor(args []any) (npy.Array, error) {
	if len(args) < 4 {
		return npy.Array{}, errTensor
	}
	ref, ok := args[0].(*pickle.Reference)
	offset, ok2 := args[1].(int64)
	shape, ok3 := ints(args[2])
	strides, ok4 := ints(args[3])
	if !ok || !ok2 || !ok3 || !ok4 || len(shape) != len(strides) || offset < 0 {
		return npy.Array{}, errTensor
	}
	id, ok := ref.ID.(pickle.Tuple)
	if !ok || len(id) < 3 {
		return npy.Array{}, errTensor
	}
	class, ok := id[1].(pickle.Class)
	key, ok2 := id[2].(string)
	dtype := storageTypes[class]
	if !ok || !ok2 || dtype == "" {
		return npy.Array{}, errTensor
	}
	raw, err := s.storage(key)
	if err != nil {
		return npy.Array{}, err
	}
	size := map[string]int{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "U8": 1, "BOOL": 1}[dtype]
	flat, err := decodeTensor(dtype, []int{len(raw) / size}, raw[:len(raw)/size*size])
	if err != nil {
		return npy.Array{}, err
	}
	all := flat.Data.([]float64)
	count, err := elementCount(shape, len(all))
	if err != nil {
		return npy.Array{}, err
	}
	out := make([]float64, count)
	index := make([]int, len(shape))
	for i := range out {
		at := int(offset)
		for k, x := range index {
			at += x * strides[k]
		}
		if at < 0 || at >= len(all) {
			return npy.Array{}, errors.New("it is damaged: the tensor lies outside its storage")
		}
		out[i] = all[at]
		for k := len(index) - 1; k >= 0; k-- {
			if index[k]++; index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
	return npy.Array{Shape: shape, Data: out}, nil
}

func (s *storageReader) storage(key string) ([]byte, error) {
	if b, ok := s.known[key]; ok {
		return b, nil
	}
	want := path.Join(s.folder, "data", key)
	for _, f := range s.zip.File {
		if f.Name == want || strings.HasPrefix(f.Name, "./") && f.Name[2:] == want {
			b, err := member(f, s.size)
			s.known[key] = b
			return b, err
		}
	}
	return nil, fmt.Errorf("it is damaged: the storage %q is missing", key)
}

// ints reads a tuple of whole numbers.
func ints(value any) ([]int, bool) {
	t, ok := value.(pickle.Tuple)
	if !ok || len(t) > 16 {
		return nil, false
	}
	out := make([]int, len(t))
	for k, x := range t {
		n, ok := x.(int64)
		if !ok || n < 0 || n > 1<<40 {
			return nil, false
		}
		out[k] = int(n)
	}
	return out, true
}
