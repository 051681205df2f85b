package interchange

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"instanton/internal/npy"
	"instanton/internal/pickle"
	"instanton/rbm"
)

// Pickles of whole objects: PGM, ProteinMotifRBM and scikit-learn.

// isPickle recognises protocols 0 to 5: PROTO, or the start of an object of Python 2.
func isPickle(head []byte) bool {
	return len(head) > 2 && (head[0] == 0x80 && head[1] <= 5 || head[0] == 'c' || bytes.HasPrefix(head, []byte("(i")))
}

// knownClasses are those that models of these programs consist of, beside numpy's.
var knownClasses = []pickle.Class{
	"rbm.RBM", "PGM.rbm.RBM", "PGM.source.rbm.RBM", "source.rbm.RBM",
	"sklearn.neural_network._rbm.BernoulliRBM", "sklearn.neural_network.rbm.BernoulliRBM",
	"joblib.numpy_pickle.NumpyArrayWrapper",
	"copy_reg._reconstructor", "copyreg._reconstructor", "_codecs.encode",
	"__builtin__.object", "builtins.object", "__builtin__.float", "builtins.float", "__builtin__.int", "builtins.int",
	"collections.OrderedDict",
	"numpy.core.multiarray._reconstruct", "numpy._core.multiarray._reconstruct", "numpy.ndarray", "numpy.dtype",
	"numpy.core.multiarray.scalar", "numpy._core.multiarray.scalar", "numpy.core.numeric._frombuffer",
	"numpy._core.numeric._frombuffer", "numpy.float64", "numpy.float32", "numpy.int64", "numpy.int32", "numpy.int16",
	"numpy.bool_", "mtrand.__RandomState_ctor", "numpy.random.__RandomState_ctor",
	"numpy.random._pickle.__randomstate_ctor", "numpy.random._pickle.__bit_generator_ctor",
	"numpy.random._mt19937.MT19937", "numpy.random.mtrand.RandomState",
}

// Layers of PGM have a class for each nature, in the module layer.
var layerModules = []string{"layer", "PGM.layer", "PGM.source.layer", "source.layer"}

func knowsObject(c pickle.Class) bool {
	if slices.Contains(knownClasses, c) {
		return true
	}
	dot := strings.LastIndexByte(string(c), '.')
	return dot > 0 && slices.Contains(layerModules, string(c[:dot])) && strings.HasSuffix(string(c), "Layer")
}

func readPickle(data []byte, o Options) (*rbm.RBM, Format, error) {
	value, _, err := pickle.Reader{Knows: knowsObject, Inline: joblibArray}.Read(data)
	if err != nil {
		return nil, "", err
	}
	object, ok := value.(*pickle.Object)
	if !ok {
		return nil, "", errors.New("it holds no model: expected a PGM or ProteinMotifRBM model, or BernoulliRBM")
	}
	class, state := classOf(object), fieldsOf(object)
	switch {
	case strings.HasSuffix(string(class), ".BernoulliRBM"):
		t := tensors{}
		for _, name := range []string{"components_", "intercept_visible_", "intercept_hidden_"} {
			a, err := array(state[name])
			if err != nil {
				return nil, "", fmt.Errorf("%s: %w (has the model been fitted?)", name, err)
			}
			t[name] = a
		}
		m, err := t.model(o)
		return m, Sklearn, err
	case strings.HasSuffix(string(class), "rbm.RBM"):
		m, err := readPGM(state)
		return m, PGM, err
	}
	return nil, "", fmt.Errorf("it holds an object of class %q: expected a model", class)
}

// classOf is the class of an object, which Python 2 names in a call of copy_reg.
func classOf(o *pickle.Object) pickle.Class {
	if strings.HasSuffix(string(o.Class), "._reconstructor") && len(o.Args) > 0 {
		if c, ok := o.Args[0].(pickle.Class); ok {
			return c
		}
	}
	return o.Class
}

// fieldsOf are the attributes of an object.
func fieldsOf(value any) map[string]any {
	o, ok := value.(*pickle.Object)
	if !ok {
		return nil
	}
	return itemsOf(o.State)
}

// array reads a numpy array.
func array(value any) (npy.Array, error) {
	o, ok := value.(*pickle.Object)
	if !ok {
		return npy.Array{}, errors.New("expected an array")
	}
	switch {
	case o.Class == "joblib.numpy_pickle.NumpyArrayWrapper":
		raw, ok := o.Items["data"].([]byte)
		if !ok {
			return npy.Array{}, errors.New("the array has no data")
		}
		state := itemsOf(o.State)
		order, _ := state["order"].(string)
		return numpyArray(state["dtype"], state["shape"], order == "F", raw)
	case strings.HasSuffix(string(o.Class), "multiarray._reconstruct"):
		state, ok := o.State.(pickle.Tuple) // version, shape, dtype, Fortran order, data
		if !ok || len(state) < 5 {
			return npy.Array{}, errors.New("the array has no state")
		}
		fortran, _ := state[3].(bool)
		raw, ok := state[4].([]byte)
		if text, isText := state[4].(string); isText { // Python 2
			raw, ok = []byte(text), true
		}
		if !ok {
			return npy.Array{}, errors.New("the array holds objects: expected numbers")
		}
		return numpyArray(state[2], state[1], fortran, raw)
	case strings.HasSuffix(string(o.Class), "numeric._frombuffer") && len(o.Args) == 4: // protocol 5
		raw, _ := o.Args[0].([]byte)
		order, _ := o.Args[3].(string)
		return numpyArray(o.Args[1], o.Args[2], order == "F", raw)
	}
	return npy.Array{}, fmt.Errorf("expected an array, found %q", o.Class)
}

// numpyArray decodes the bytes of an array, by way of a .npy file.
func numpyArray(dtype, shape any, fortran bool, raw []byte) (npy.Array, error) {
	descr, err := dtypeName(dtype)
	if err != nil {
		return npy.Array{}, err
	}
	dims, ok := ints(shape)
	if !ok {
		return npy.Array{}, errors.New("the array has no shape")
	}
	text := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(dims)), ", "), "[]")
	if len(dims) == 1 {
		text += ","
	}
	order := "False"
	if fortran {
		order = "True"
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }\n", descr, order, text)
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	b.Write([]byte{byte(len(header)), byte(len(header) >> 8)})
	b.WriteString(header)
	b.Write(raw)
	return npy.Read(&b, int64(b.Len()))
}

// dtypeName is the name of a dtype with its byte order, as in "<f8".
func dtypeName(value any) (string, error) {
	o, ok := value.(*pickle.Object)
	if !ok || o.Class != "numpy.dtype" || len(o.Args) == 0 {
		return "", errors.New("the array has no type")
	}
	name, _ := o.Args[0].(string)
	order := "<"
	if state, ok := o.State.(pickle.Tuple); ok && len(state) > 1 {
		if s, ok := state[1].(string); ok && s != "" {
			order = s
		}
	}
	if len(name) != 2 || !strings.Contains("fiub", name[:1]) || len(order) != 1 || !strings.Contains("<>|=", order) {
		return "", fmt.Errorf("an array of type %q: expected numbers", name)
	}
	return order + name, nil
}

// joblibArray takes the numbers that joblib writes behind the description of an array.
func joblibArray(o *pickle.Object, rest []byte) (int, error) {
	if o.Class != "joblib.numpy_pickle.NumpyArrayWrapper" {
		return 0, nil
	}
	state := itemsOf(o.State)
	name, err := dtypeName(state["dtype"])
	if err != nil {
		return 0, err
	}
	dims, ok := ints(state["shape"])
	if !ok {
		return 0, errors.New("the array has no shape")
	}
	size := int(name[2] - '0')
	count, err := elementCount(dims, len(rest)/max(1, size))
	if err != nil {
		return 0, err
	}
	start := 0
	if _, aligned := state["numpy_array_alignment_bytes"].(int64); aligned && len(rest) > 0 {
		start = 1 + int(rest[0])
	}
	if start > len(rest) || count*size > len(rest)-start {
		return 0, errors.New("it ends inside an array")
	}
	o.Items = map[string]any{"data": rest[start : start+count*size]}
	return start + count*size, nil
}
