package unit

import "encoding/json"

// specJSON is a Spec as written in the meta.json of model, sample and data files.
type specJSON struct {
	Type string `json:"type"`
	N    int    `json:"n"`
	Q    int    `json:"q,omitempty"`
}

// MarshalJSON writes {"type": "potts", "n": 27, "q": 20}.
func (s Spec) MarshalJSON() ([]byte, error) {
	return json.Marshal(specJSON{s.Type.String(), s.N, s.Q})
}

// UnmarshalJSON reads what MarshalJSON writes and checks it.
func (s *Spec) UnmarshalJSON(text []byte) error {
	var j specJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	t, err := ParseType(j.Type)
	if err != nil {
		return err
	}
	spec := Spec{Type: t, N: j.N, Q: j.Q}
	if err := spec.Check(); err != nil {
		return err
	}
	*s = spec
	return nil
}
